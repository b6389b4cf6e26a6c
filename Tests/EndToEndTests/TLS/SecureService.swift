import Foundation
import SocketTestSupport
import Testing

/// The service with TLS on its first address and without TLS on its second, with certificates in its own folder.
struct SecureService: Sendable {
    let process: PresignProcess
    let certificates: TestCertificates
    /// The service's own copies of the files, which a test may overwrite.
    let files: Files

    struct Files: Sendable {
        let certificate, key, authorities, lists: String

        fileprivate init(in folder: URL) {
            let path = { (name: String) in folder.appending(path: name).path() }
            (certificate, key) = (path("server.pem"), path("server.key"))
            (authorities, lists) = (path("clients.pem"), path("clients.crl"))
        }

        /// Replaces the served certificate.
        func serve(_ issued: CertificateAuthority.Issued) throws {
            try bytes(of: issued.certificate).write(to: certificate)
            try bytes(of: issued.key).write(to: key)
        }
    }

    /// Whether the server requests or requires client certificates.
    enum Clients: Equatable { case notAsked, asked, required }

    /// - Parameters:
    ///   - identity: The kind of name that identifies the caller; nil: none.
    ///   - authority: The issuer of accepted client certificates, with its current CRL; the shared one if nil.
    ///   - server: Additional settings in YAML's flow style.
    static func serving<Value: Sendable>(
        _ clients: Clients = .notAsked, identity: String? = nil, authority: CertificateAuthority? = nil,
        server: String? = nil, _ body: (SecureService) async throws -> Value
    ) async throws -> Value {
        let certificates = try TestCertificates.shared
        let authority = authority ?? certificates.clients
        return try await withTemporaryDirectory { folder in
            let files = Files(in: folder)
            try files.serve(certificates.server)
            try bytes(of: authority.certificate).write(to: files.authorities)
            try bytes(of: authority.revocationList(named: UUID().uuidString)).write(to: files.lists)
            let asks =
                clients == .notAsked
                ? "" : "clients: {ca: \(files.authorities), crl: \(files.lists), required: \(clients == .required)}, "
            let tls = "tls: {certificate: \(files.certificate), key: \(files.key), \(asks)plain: [\"127.0.0.1:0\"]}"
            return try await Loads.serving(
                server: tls + (server.map { ", " + $0 } ?? ""), auth: identity.map { "mtls: {identity: \($0)}" }
            ) { process in
                try await body(SecureService(process: process, certificates: certificates, files: files))
            }
        }
    }

    var port: UInt16 { get throws { try process.port } }

    /// The URL with the certificate's host name.
    var url: String { get throws { "https://localhost:\(try port)" } }

    /// curl's options to trust our certificate and to send one.
    private func options(_ client: CertificateAuthority.Issued?) throws -> [String] {
        let trust = ["--cacert", certificates.servers.certificate, "--resolve", "localhost:\(try port):127.0.0.1"]
        return trust + (client.map { ["--cert", $0.certificate, "--key", $0.key] } ?? [])
    }

    /// Sends the standing request with curl.
    ///
    /// - Parameter key: Whether the API key is sent.
    func ask(as client: CertificateAuthority.Issued? = nil, key: Bool = true) async throws -> SecureResponse {
        let headers = ["Content-Type: application/json"] + (key ? ["X-API-Key: \(process.apiKey)"] : [])
        let trust = try options(client)
        let result = try await Command.run(
            "/usr/bin/curl",
            ["-q", "-sS", "--noproxy", "*", "--max-time", "10", "-w", "\n%{http_code}"] + trust
                + headers.flatMap { ["-H", $0] } + ["-d", Loads.body, "\(try url)/presign"])
        return SecureResponse(result)
    }

    /// The statuses of two requests on one connection, this many seconds apart; 000 if there is no response.
    func statuses(
        ofTwoRequestsAs client: CertificateAuthority.Issued, seconds: Int
    ) async throws -> [String] {
        let trust = try options(client)
        let address = "\(try url)/presign"
        let result = try await Command.run(
            "/usr/bin/curl",
            ["-q", "-s", "--noproxy", "*", "--rate", "\(60 / seconds)/m", "-w", "%{http_code}\n", "-o", "/dev/null"]
                + trust
                + ["-H", "Content-Type: application/json", "-d", Loads.body, address, "-o", "/dev/null", address])
        return result.output.split(separator: "\n").map(String.init)
    }

    /// The output of `openssl s_client` for a connection over which the words were sent.
    func connect(_ options: [String], sending words: String = "", keeps: Bool = false) async throws -> Command.Result {
        try await Command.run(
            "/usr/bin/openssl",
            [
                "s_client", "-connect", "127.0.0.1:\(try port)", "-servername", "localhost", "-CAfile",
                certificates.servers.certificate, "-verify_return_error", keeps ? "-ign_eof" : "-no_ign_eof",
            ] + options, input: Data(words.utf8))
    }
}

/// The result of curl.
struct SecureResponse: Sendable {
    /// curl's exit status: 0 for any response.
    let exit: Int32
    let status: Int
    let body: String
    let errors: String

    fileprivate init(_ result: Command.Result) {
        exit = result.status
        errors = result.errors
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
        status = lines.last.flatMap { Int($0) } ?? 0
        body = lines.dropLast().joined(separator: "\n")
    }
}

extension [UInt8] {
    func write(to path: String) throws { try Data(self).write(to: URL(filePath: path)) }
}
