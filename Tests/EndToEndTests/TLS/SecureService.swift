import Foundation
import SocketTestSupport
import Testing

/// The service with TLS on its first address, beside one without, and certificates in a folder of its own.
struct SecureService: Sendable {
    let process: PresignProcess
    let certificates: TestCertificates
    /// The service's own copies, which may be written over.
    let files: Files

    struct Files: Sendable {
        let certificate, key, authorities, lists: String

        fileprivate init(in folder: URL) {
            let path = { (name: String) in folder.appending(path: name).path() }
            (certificate, key) = (path("server.pem"), path("server.key"))
            (authorities, lists) = (path("clients.pem"), path("clients.crl"))
        }

        /// Puts another certificate in place of the one that is served.
        func serve(_ issued: CertificateAuthority.Issued) throws {
            try bytes(of: issued.certificate).write(to: certificate)
            try bytes(of: issued.key).write(to: key)
        }
    }

    /// Whether clients are asked for certificates.
    enum Clients: Equatable { case notAsked, asked, required }

    /// - Parameters:
    ///   - identity: which name of a certificate tells who calls; nil: none does.
    ///   - authority: whose certificates are accepted, with its list of today; the shared one when nil.
    ///   - server: more settings, in YAML's flow style.
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
            return try await Engine.serving(
                server: tls + (server.map { ", " + $0 } ?? ""), auth: identity.map { "mtls: {identity: \($0)}" }
            ) { process in
                try await body(SecureService(process: process, certificates: certificates, files: files))
            }
        }
    }

    var port: UInt16 { get throws { try process.port } }

    /// By name, as the certificate has it.
    var url: String { get throws { "https://localhost:\(try port)" } }

    /// curl's options for a server with our certificate, and for showing one.
    private func options(_ client: CertificateAuthority.Issued?) throws -> [String] {
        let trust = ["--cacert", certificates.servers.certificate, "--resolve", "localhost:\(try port):127.0.0.1"]
        return trust + (client.map { ["--cert", $0.certificate, "--key", $0.key] } ?? [])
    }

    /// The standing request, by curl.
    ///
    /// - Parameter key: whether the API key is sent.
    func ask(as client: CertificateAuthority.Issued? = nil, key: Bool = true) async throws -> SecureAnswer {
        let headers = ["Content-Type: application/json"] + (key ? ["X-API-Key: \(process.apiKey)"] : [])
        let trust = try options(client)
        let result = try await Command.run(
            "/usr/bin/curl",
            ["-q", "-sS", "--noproxy", "*", "--max-time", "10", "-w", "\n%{http_code}"] + trust
                + headers.flatMap { ["-H", $0] } + ["-d", Engine.body, "\(try url)/presign"])
        return SecureAnswer(result)
    }

    /// The statuses of two requests on one connection, as far as it lasts, so many seconds apart; 000 for none.
    func statuses(
        ofTwoRequestsAs client: CertificateAuthority.Issued, seconds: Int
    ) async throws -> [String] {
        let trust = try options(client)
        let address = "\(try url)/presign"
        let result = try await Command.run(
            "/usr/bin/curl",
            ["-q", "-s", "--noproxy", "*", "--rate", "\(60 / seconds)/m", "-w", "%{http_code}\n", "-o", "/dev/null"]
                + trust
                + ["-H", "Content-Type: application/json", "-d", Engine.body, address, "-o", "/dev/null", address])
        return result.output.split(separator: "\n").map(String.init)
    }

    /// What `openssl s_client` says of a connection over which the words were sent.
    func connect(_ options: [String], sending words: String = "", keeps: Bool = false) async throws -> Command.Result {
        try await Command.run(
            "/usr/bin/openssl",
            [
                "s_client", "-connect", "127.0.0.1:\(try port)", "-servername", "localhost", "-CAfile",
                certificates.servers.certificate, "-verify_return_error", keeps ? "-ign_eof" : "-no_ign_eof",
            ] + options, input: Data(words.utf8))
    }
}

/// What curl came to.
struct SecureAnswer: Sendable {
    /// curl's own: 0 for an answer, whatever it says.
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
