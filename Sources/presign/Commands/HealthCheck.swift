import ArgumentParser
import HTTPServer
import ServiceRuntime

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
            throw ProgramFailure(.refusal, "/healthz of \(target.address) returned the status \(status)")
        }
    }

    private func target() throws -> ServedAddress {
        if let address { return ServedAddress(address.reachable, isSecure: tls) }
        // An invalid edit of the standard file must not fail the check of a running service.
        let configuration =
            try config.map(ConfigurationFile.read) ?? (try? ConfigurationFile.read(ConfigurationFile.standard))
        return configuration.flatMap { ServedAddress(checkedBy: $0) }
            ?? ServedAddress(.tcp(host: "127.0.0.1", port: 8080), isSecure: false)
    }
}
