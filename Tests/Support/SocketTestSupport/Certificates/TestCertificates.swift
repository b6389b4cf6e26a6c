import Foundation

/// Certificates shared by many tests, created once per process and removed at its end.
package struct TestCertificates: Sendable {
    /// The issuer of the server's certificate, trusted by its clients.
    package let servers: CertificateAuthority
    /// The issuer of client certificates.
    package let clients: CertificateAuthority
    /// The server's certificate: `localhost`, 127.0.0.1 and ::1.
    package let server: CertificateAuthority.Issued
    /// The client's certificate: `spiffe://example.org/web`, `web.example.org` and `web@example.org`.
    package let client: CertificateAuthority.Issued

    private static let folder =
        FileManager.default.temporaryDirectory.path() + "/presign-certificates-\(UUID().uuidString)"
    private static let made = Result { try TestCertificates() }

    /// The certificates of this process.
    package static var shared: TestCertificates { get throws { try made.get() } }

    private init() throws {
        servers = try CertificateAuthority(named: "Servers", in: Self.folder + "/servers")
        clients = try CertificateAuthority(named: "Clients", in: Self.folder + "/clients")
        server = try servers.issue("localhost", alternatives: "DNS:localhost,IP:127.0.0.1,IP:::1")
        client = try clients.issue(
            "web", alternatives: "URI:spiffe://example.org/web,DNS:web.example.org,email:web@example.org",
            usage: .clientAuth)
        atexit { try? FileManager.default.removeItem(atPath: TestCertificates.folder) }
    }
}

/// The bytes of a file.
package func bytes(of path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }
