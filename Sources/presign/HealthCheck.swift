import ArgumentParser
import HTTPServing
import PresignService
import SystemInterface

/// `presign healthcheck`: asks the running service's `/healthz`; for `HEALTHCHECK` in a container.
struct HealthCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthcheck",
        abstract: "Ask the service on this machine whether it is up; exit code 0 or 1.",
        discussion: """
            The address is the first one the configuration listens on.

            EXAMPLES
              presign healthcheck
              presign healthcheck --address 127.0.0.1:8080
            """)

    @Option(help: "The YAML configuration file; when absent and not readable, 127.0.0.1:8080 is asked.")
    var config: String?

    @Option(help: "HOST:PORT or unix:/path, instead of the configuration's.")
    var address: String?

    func run() throws {
        try reportingFailure {
            let target = try self.target()
            let status: Int
            do {
                status = try LocalProbe.status(of: "/healthz", at: target)
            } catch {
                try? DescriptorWriter.standardError.write(Array("presign: no answer: \(error)\n".utf8))
                throw ExitCode(1)
            }
            guard status == 200 else { throw ExitCode(1) }
        }
    }

    private func target() throws -> LocalProbe.Address {
        if let address {
            do {
                return Self.probeAddress(try ListenAddress.parse(address))
            } catch {
                throw CommandFailure(.usage, "--address: \(error)")
            }
        }
        let standard = "/etc/presign/presign.yaml"
        // A file that was edited badly since the start says nothing about the service that runs.
        guard let configuration = try config.map(ConfigurationFile.read) ?? (try? ConfigurationFile.read(standard))
        else {
            return .ipv4("127.0.0.1", port: 8080)
        }
        guard let first = configuration.server.listen.first else { return .ipv4("127.0.0.1", port: 8080) }
        return Self.probeAddress(first)
    }

    /// Where to reach a listener from here: "every address" is reached at loopback.
    private static func probeAddress(_ address: ListenAddress) -> LocalProbe.Address {
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
