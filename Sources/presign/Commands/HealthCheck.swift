import HTTPClient
import HTTPServer
import PresignService
import TLS
import Text

/// `presign healthcheck`: asks the running service's `/healthz`; for `HEALTHCHECK` in a container.
struct HealthCheck: Command {
    static let title = CommandTitle(
        "healthcheck",
        abstract: "Ask the service on this machine whether it is up; exit code 0 or 1.",
        discussion: """
            The address is one the configuration listens on: a Unix socket or another
            without TLS if there is one, else the first. The certificate of one with TLS is
            not checked: nothing secret is said, and it names other hosts.

            EXAMPLES
              presign healthcheck
              presign healthcheck --address 127.0.0.1:8080
              presign healthcheck --address 127.0.0.1:8443 --tls
            """)

    private static let standardFile = "/etc/presign/presign.yaml"

    private let config: String?
    private let address: String?
    private let tls: Bool

    init(from arguments: inout Arguments) {
        config = arguments.option(
            "config",
            help:
                "The YAML configuration file (default: \(Self.standardFile); where that cannot be used, 127.0.0.1:8080 is asked)."
        )
        address = arguments.option("address", help: "HOST:PORT or unix:/path, instead of the configuration's.")
        tls = arguments.flag("tls", help: "The given address speaks TLS.")
    }

    func validate() throws(UsageError) {
        guard !tls || address != nil else { throw UsageError("--tls goes with --address") }
    }

    func run() throws {
        let target = try self.target()
        let status: Int
        do {
            status = try Self.status(of: "/healthz", at: target)
        } catch {
            throw CommandFailure(.refusal, "no answer from \(target): \(error)")
        }
        guard status == 200 else { throw CommandFailure(.refusal, "/healthz of \(target) answered \(status)") }
    }

    private struct Target: CustomStringConvertible {
        let address: HealthProbe.Address
        var isSecure = false

        /// As `--address` takes it.
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
            var answer: [UInt8] = []
            _ = try client.exchange(request, with: "localhost", over: descriptor, until: .now + .seconds(4)) { piece in
                answer.append(piece)
                return answer.count >= HealthProbe.statusLineCount
            }
            return answer
        }
    }

    private func target() throws -> Target {
        if let address {
            do {
                return Target(address: Self.probeAddress(try ListenAddress.parse(address)), isSecure: tls)
            } catch {
                throw CommandFailure(.usage, "--address: \(error)")
            }
        }
        // A file that was edited badly since the start says nothing about the service that runs.
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

    /// Where to reach a listener from here: "every address" is reached at loopback.
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
