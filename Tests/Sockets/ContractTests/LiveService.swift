import CallerAuthentication
import Foundation
import Glibc
import HTTPServer
import ObjectExistence
import PresignService
import PresignServiceTestSupport
import System

/// The service with its real server on a free loopback port; its storage does not exist.
final class LiveService: Sendable {
    static let apiKey = "psk_web_" + String(repeating: "A", count: 43)
    static let origin = "https://app.example.com"
    private static let tokenSecret = Array("an-issuer-of-the-contract-tests-only".utf8)
    /// The key of share links.
    static let shareKey = "pshk_" + String(repeating: "A", count: 43)
    /// An API key past its `notAfter`.
    static let expiredKey = "psk_old_" + String(repeating: "L", count: 43)
    /// A token signed with that secret; its exp is the start of 2020.
    static let expiredToken =
        "eyJhbGciOiJIUzI1NiJ9"
        + ".eyJpc3MiOiJjb250cmFjdCIsImF1ZCI6InByZXNpZ24iLCJzdWIiOiJhbGljZSIsImV4cCI6MTU3NzgzNjgwMH0"
        + ".KEEvWXAgNn6dccRqo9kzCSaSZjyfoZMvV-MxK4LKUtU"

    private let service: Service
    private let server: HTTPServer
    private let port: UInt16

    /// - Parameters:
    ///   - limits: The section `limits` of the configuration.
    ///   - connections: The maximum number of connections.
    ///   - isBare: Whether to leave out the upload page, metrics, Git LFS and Apache Iceberg.
    ///   - isLocal: Whether the configuration has the embedded storage.
    init(limits: String = "{}", connections: Int = 100, isBare: Bool = false, isLocal: Bool = false) throws {
        let yaml =
            Self.configuration(connections: connections, isBare: isBare) + "\npage: \(!isBare)\nlimits: \(limits)\n"
            + (isBare ? "" : "lfs: {prefix: uploads/web, store: checked}\n")
            + (isLocal ? "local: {directory: data}\n" : "")
        let configuration = try ServiceConfiguration(parsing: Array(yaml.utf8), file: "contract.yaml")
        let environment = [
            "AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE",
            "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        ]
        let service = Service(
            try ServiceSnapshot(
                configuration, environment: { environment[$0] },
                read: { $0 == "share" ? Array(Self.shareKey.utf8) : Self.tokenSecret }),
            existence: ExistenceCheck(head: Self.head), requestLog: nil, offersMetrics: !isBare,
            requestIDStart: "contract-")
        let server = HTTPServer(configuration: configuration.server) { service.makeHandler(loop: $0) }
        try server.start()
        guard case .tcp(_, let port)? = server.boundAddresses.first else { throw CocoaError(.featureUnsupported) }
        (self.service, self.server, self.port) = (service, server, port)
    }

    deinit {
        server.shutdown()
        server.wait()
    }

    func beginShutdown() {
        service.beginShutdown()
    }

    /// Runs the body while another client is connected and has started a request, so that the connection is accepted.
    func keeping<Result>(_ body: () throws -> Result) throws -> Result {
        let connection = try connect()
        defer { withExtendedLifetime(connection) {} }
        try connection.write(contentsOf: Data("GET ".utf8))
        return try body()
    }

    /// Sends the bytes on a new connection and reads until the server closes it.
    func response(to request: String) throws -> ParsedResponse {
        let connection = try connect()
        try connection.write(contentsOf: Data(request.utf8))
        return try ParsedResponse(Array(try connection.readToEnd() ?? Data()))
    }

    private func connect() throws -> FileHandle {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        // The pointer is used only within the call, with the size of what it points to.
        let result = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        let connection = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard result == 0 else { throw POSIXError(.ECONNREFUSED) }
        return connection
    }

    /// The name of the object determines the storage's result.
    private static func head(_ url: String, _: LimitKey, _ completion: @Sendable (ExistenceOutcome) -> Void) {
        if url.contains("/dropped?") { return }
        if url.contains("/slow?") { return completion(.timedOut) }
        if url.contains("/unreachable?") { return completion(.failed("connection refused")) }
        if url.contains("/crowded?") { return completion(.overloaded) }
        for status in [403, 404, 500] where url.contains("/\(status)?") { return completion(.status(status)) }
        // The length that the Git LFS cases state.
        completion(.status(200, length: 1))
    }

    private static func configuration(connections: Int, isBare: Bool) -> String {
        """
        version: 1
        server:
          listen: ["127.0.0.1:0"]
          loops: 1
          timeouts: {header: 300ms}
          limits: {connections: \(connections)}
        stores:
          media:
            bucket: acme-media
            region: eu-west-1
            default: true
            links: true
            listing: true
            iceberg: \(!isBare)
            credentials: environment
          stable:
            bucket: acme-media
            region: eu-west-1
            links: true
            credentials: environment
            expires: {window: 5d}
          closed: {bucket: acme-closed, region: eu-west-1, credentials: environment}
          checked:
            bucket: acme-media
            region: eu-west-1
            links: true
            validateObjectExistence: true
            credentials: environment
          idle: {bucket: acme-idle, region: eu-west-1, links: true, iceberg: true, credentials: imds}
        auth:
          apiKeys:
            - {id: web, hashes: ["\(APIKey.storedHash(of: apiKey.utf8))"]}
            - {id: old, notAfter: "2020-01-01T00:00:00Z", hashes: ["\(APIKey.storedHash(of: expiredKey.utf8))"]}
          jwt: [{name: contract, issuer: contract, audience: presign, algorithms: [HS256], secretFile: secret}]
          proxy: {from: [unix], secretHeader: X-Proxy-Secret, secretFile: secret, identity: X-Auth-User}
        cors: {origins: ["\(origin)"]}
        shares: {keys: [{id: k, file: share}]}
        rules:
          - path: uploads/{identity}/**
            allow: {owner: [read, write, delete, multipart]}
            expires: {max: 1h}
            share: {get: 1d, write: 1d}
          - {path: "uploads/{identity}/**", store: checked, allow: {owner: [read, write]}}
          - {path: "uploads/{identity}/**", store: stable, allow: {owner: [read]}}
          - path: uploads/{identity}/**
            store: idle
            allow: {owner: [read, write]}
            share: {get: 1d, write: 1d}
          - path: inbox/**
            allow: {authenticated: [write]}
          - path: photos/**
            allow: {authenticated: [write]}
            write: {maxSize: 1m}
          - path: limited/**
            allow: {authenticated: [read, write, delete, multipart]}
            write:
              types: [image/*]
              maxSize: 100m
              checksum: sha256
              overwrite: false
              accept: [tagging]
              set: {cacheControl: no-store, metadata: {origin: web}, tagging: {a: b}}
            multipart: {partSize: 5m}
            share: {write: 1d}
            read: {overrides: any, versions: true}
        """
    }
}

/// A parsed response; header names are in lower case.
struct ParsedResponse {
    let status: Int
    let headers: [String: String]
    let body: [UInt8]

    init(_ bytes: [UInt8]) throws {
        let end = bytes.indices.first { bytes[$0...].starts(with: "\r\n\r\n".utf8) }
        guard let end else { throw CocoaError(.coderReadCorrupt) }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).components(separatedBy: "\r\n")
        guard let status = Int(lines[0].dropFirst("HTTP/1.1 ".count).prefix(3)) else {
            throw CocoaError(.coderReadCorrupt)
        }
        self.status = status
        headers = lines.dropFirst().reduce(into: [:]) { headers, line in
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts.last.map { $0.trimmingCharacters(in: .whitespaces) }
        }
        body = Array(bytes[(end + 4)...])
    }

    /// The content type without parameters.
    var contentType: String? {
        headers["content-type"]?.split(separator: ";").first.map { String($0) }
    }
}
