import ArgumentParser
import HTTPClient
import HTTPServer
import PresignService
import System
import Text

/// `presign healthcheck`: requests `/healthz` of the running service, as `HEALTHCHECK` of a container image.
struct HealthCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthcheck",
        abstract: "Check that the service on this machine is up; exit code 0 or 1.",
        discussion: """
            Without --address, the command connects to an address of the configuration:
            preferably a Unix socket or another address without TLS, else the first one.
            With TLS the certificate is not verified: the request carries no secret, and
            the certificate does not name this machine's loopback address.

            EXAMPLES
              presign healthcheck
              presign healthcheck --address 127.0.0.1:8080
              presign healthcheck --address 127.0.0.1:8443 --tls
            """)

    @Option(
        help: """
            The YAML configuration file (default: \(ConfigurationFile.standard); if that file is missing or invalid, \
            127.0.0.1:8080 is checked).
            """, completion: .yaml)
    var config: String?
    @Option(
        help: "The address to check, HOST:PORT or unix:/path, instead of one of the configuration.",
        transform: ListenAddress.parse)
    var address: ListenAddress?
    @Flag(help: "Use TLS to connect to --address.") var tls = false

    private func check() throws(ValidationError) {
        guard !tls || address != nil else { throw ValidationError("--tls requires --address") }
    }

    func run() throws {
        try check()
        let target = try self.target()
        let status = try reporting(errorsAs: .refusal, after: "no response from \(target.address): ") {
            try target.status(of: "/healthz")
        }
        guard status == 200 else {
            throw CommandFailure(.refusal, "/healthz of \(target.address) returned the status \(status)")
        }
    }

    private func target() throws -> Target {
        if let address { return Target(address: address.reachable, isSecure: tls) }
        let standard = Target(address: .tcp(host: "127.0.0.1", port: 8080), isSecure: false)
        // An invalid edit of the standard file must not fail the check of a running service.
        guard
            let configuration = try config.map(ConfigurationFile.read)
                ?? (try? ConfigurationFile.read(ConfigurationFile.standard))
        else { return standard }
        let server = configuration.server
        let targets = (server.listen + server.plainListen).enumerated().map { index, address in
            Target(address: address.reachable, isSecure: configuration.speaksTLS(address, at: index))
        }
        return targets.first { !$0.isSecure } ?? targets.first ?? standard
    }

    private struct Target {
        let address: ListenAddress
        let isSecure: Bool

        /// Returns the status code of the response to `GET path`.
        func status(of path: String) throws(FetchFailure) -> Int {
            let deadline = MonotonicTime.after(.seconds(4))
            switch address {
            case .unix(let socket, _):
                guard let url = FetchURL("http://localhost\(path)") else { throw .unknownHost }
                return try HTTPFetch.response(to: FetchRequest(.get, url), overSocketAt: socket, by: deadline).status
            case .tcp(let host, let port):
                guard let url = FetchURL("\(isSecure ? "https" : "http")://localhost:\(port)\(path)") else {
                    throw .unknownHost
                }
                let peer = PeerAddress(literal: host.utf8.span) ?? .ipv4(0x7F00_0001)
                return try HTTPFetch.response(
                    to: FetchRequest(.get, url), fromOneOf: [peer], verifiesServer: false, by: deadline
                ).status
            }
        }
    }
}
