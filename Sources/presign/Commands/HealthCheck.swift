import ArgumentParser
import HTTPClient
import HTTPServer
import PresignService
import TLS
import Text

/// `presign healthcheck`: requests `/healthz` of the running service, as `HEALTHCHECK` of a container image.
struct HealthCheck: ParsableCommand {
    private static let standardFile = "/etc/presign/presign.yaml"

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
            The YAML configuration file (default: \(HealthCheck.standardFile); if that file is missing or invalid, \
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
        let status: Int
        do {
            status = try Self.status(of: "/healthz", at: target)
        } catch {
            throw CommandFailure(.refusal, "no response from \(target): \(error)")
        }
        guard status == 200 else {
            throw CommandFailure(.refusal, "/healthz of \(target) returned the status \(status)")
        }
    }

    private struct Target: CustomStringConvertible {
        let address: HealthProbe.Address
        var isSecure = false

        /// In the form that `--address` accepts.
        var description: String {
            switch address {
            case .ipv4(let host, let port): "\(host):\(port)"
            case .ipv6(let host, let port): "[\(host)]:\(port)"
            case .unix(let path): "unix:\(path)"
            }
        }
    }

    private static func status(of path: String, at target: Target) throws -> Int {
        guard target.isSecure else { return try HealthProbe.status(of: path, at: target.address) }
        let client = try ClientTLS(trusting: .anyone)
        return try HealthProbe.status(of: path, at: target.address) { descriptor, request in
            var response: [UInt8] = []
            _ = try client.exchange(request, with: "localhost", over: descriptor, until: .now + .seconds(4)) { piece in
                response.append(piece)
                return response.count >= HealthProbe.statusLineCount
            }
            return response
        }
    }

    private func target() throws -> Target {
        if let address { return Target(address: Self.probeAddress(address), isSecure: tls) }
        // An invalid edit of the standard file must not fail the check of a running service.
        guard
            let configuration = try config.map(ConfigurationFile.read)
                ?? (try? ConfigurationFile.read(Self.standardFile))
        else {
            return Target(address: .ipv4("127.0.0.1", port: 8080))
        }
        let server = configuration.server
        let targets = (server.listen + server.plainListen).enumerated().map { index, address in
            Target(address: Self.probeAddress(address), isSecure: configuration.speaksTLS(address, at: index))
        }
        return targets.first { !$0.isSecure } ?? targets.first ?? Target(address: .ipv4("127.0.0.1", port: 8080))
    }

    /// Returns the address to connect to; a listener on all addresses is reached at the loopback address.
    private static func probeAddress(_ address: ListenAddress) -> HealthProbe.Address {
        switch address {
        case .unix(let path, _): .unix(path: path)
        case .tcp(let host, let port):
            switch host {
            case "", "0.0.0.0", "localhost": .ipv4("127.0.0.1", port: port)
            case "::": .ipv6("::1", port: port)
            default: host.utf8.contains(UInt8(ascii: ":")) ? .ipv6(host, port: port) : .ipv4(host, port: port)
            }
        }
    }
}
