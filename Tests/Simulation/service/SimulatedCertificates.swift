import HTTPServer
import SocketTestSupport
import System

/// The server's certificates, which are replaced while it runs, and the clients that it accepts.
final class SimulatedCertificates {
    /// The authority that issued the certificate of a client.
    enum Authority: CaseIterable { case clients, others }

    /// The TLS settings of the server.
    struct Settings: CustomStringConvertible {
        /// Which of the server's certificates.
        var server = 0
        /// The authorities of the clients' certificates; nil: certificates are not requested.
        var accepted: Set<Authority>?
        /// Whether clients without a certificate are rejected.
        var isRequired = false

        var description: String {
            let names = accepted.map { accepted in Authority.allCases.filter(accepted.contains).map { "\($0)" } }
            return "certificate \(server), accepted: \(names ?? ["everyone"])\(isRequired ? ", required" : "")"
        }

        func accept(_ client: Authority?) -> Bool {
            guard let client else { return !isRequired }
            return accepted?.contains(client) == true
        }
    }

    private(set) var settings: Settings
    let source: TLSSource

    init(_ settings: Settings) throws {
        self.settings = settings
        source = TLSSource(try Self.make(settings)) { _, _ in }
    }

    /// Replaces the settings of the running server.
    func replace(by new: Settings) throws {
        let isSameForClients = new.accepted == settings.accepted && new.isRequired == settings.isRequired
        source.replace(by: try Self.make(new), changesClients: !isSameForClients)
        settings = new
    }

    /// A client's TLS.
    static func session(presenting client: Authority?) throws -> SimulatedSession {
        let files = try files.get()
        return try SimulatedSession(files.trust, presenting: client.flatMap { files.clients[$0] })
    }

    // MARK: Files, created once per process

    private struct Files {
        let servers: [(chain: [UInt8], key: [UInt8])]
        let clients: [Authority: CertificateAuthority.Issued]
        let authorities: [Authority: [UInt8]]
        let trust: ClientTLS

        init() throws {
            let shared = try TestCertificates.shared
            let issued = [shared.server, try shared.servers.issue("renewed", alternatives: "DNS:localhost")]
            servers = try issued.map { (try bytes(of: $0.certificate), try bytes(of: $0.key)) }
            // The simulated clock and that of OpenSSL are both within the validity.
            func client(of authority: CertificateAuthority) throws -> CertificateAuthority.Issued {
                try authority.issue("lasting", usage: .clientAuth, validity: -10_000...10_000)
            }
            clients = [.clients: try client(of: shared.clients), .others: try client(of: shared.servers)]
            authorities = [
                .clients: try bytes(of: shared.clients.certificate),
                .others: try bytes(of: shared.servers.certificate),
            ]
            trust = try ClientTLS(trusting: .file(shared.servers.certificate))
        }
    }

    private static let files = Result { try Files() }

    private static func make(_ settings: Settings) throws -> ServerTLS {
        let files = try files.get()
        let (chain, key) = files.servers[settings.server]
        let clients = settings.accepted.map { accepted in
            let authorities = Authority.allCases.filter(accepted.contains).flatMap { files.authorities[$0] ?? [] }
            return ServerTLS.Clients(authorities: authorities, isRequired: settings.isRequired)
        }
        return try ServerTLS(chain: chain, key: key, clients: clients)
    }
}
