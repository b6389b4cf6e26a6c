import HTTPServer
import Logging
import PresignService
import System

/// The servers of `presign serve`, except for the one of the local storage.
struct ServiceServers: Sendable {
    let main: HTTPServer
    /// The server of the metrics, if they have a separate address.
    private let metrics: HTTPServer?

    /// Starts them.
    ///
    /// - Parameters:
    ///   - sockets: the inherited listening sockets.
    ///   - buffers: the memory budget of the process for requests and responses.
    ///   - other: the address of another server of this process.
    init(
        _ parts: ServiceParts, _ configuration: ServiceConfiguration, on sockets: [InheritedSocket],
        _ buffers: BufferBudget, beside other: ListenAddress?, _ logs: ServiceLogs
    ) throws(ProgramFailure) {
        let service = parts.service
        let main = HTTPServer(
            configuration: configuration.server, tls: parts.tls?.source, inheriting: sockets.map(\.descriptor),
            buffers: buffers
        ) {
            service.makeHandler(loop: $0)
        }
        self.main = main
        try reporting(errorsAs: .system) { try main.start() }
        service.metrics.observe(main)
        service.metrics.observe(diagnostics: logs.diagnostics)
        do {
            metrics = try Self.metricsServer(
                for: service, configuration.metrics, configuration.server, buffers,
                beside: main.boundAddresses + (other.map { [$0] } ?? []))
        } catch {
            main.shutdown()
            main.wait()
            throw error
        }
    }

    /// The error that ended one of the servers, if it was not stopped.
    var failure: HTTPServerError? { main.failure ?? metrics?.failure }

    /// The addresses of the service.
    var addresses: [ServedAddress] {
        main.boundAddresses.enumerated().map { index, address in
            ServedAddress(address, isSecure: main.speaksTLS(at: index))
        }
    }

    /// Logs the warnings of the configuration and the addresses.
    func announce(_ parts: ServiceParts, _ logger: Logger) {
        for warning in parts.snapshot.warnings { logger.warning("\(warning)") }
        parts.tls?.warn()
        for served in addresses {
            logger.notice(
                "listening",
                metadata: ["event": "listening", "address": "\(served.address)", "tls": "\(served.isSecure)"])
        }
        for address in metrics?.boundAddresses ?? [] {
            logger.notice("listening", metadata: ["event": "metrics-listening", "address": "\(address)"])
        }
    }

    /// Stops the servers and waits until the last connection is closed. Metrics stop last, so that the drain is
    /// observable.
    func stop() {
        for server in [main, metrics].compactMap({ $0 }) {
            server.shutdown()
            server.wait()
        }
    }

    /// Starts the server of the metrics; returns nil if they have no separate address.
    ///
    /// - Parameter others: the addresses of other servers of this process.
    private static func metricsServer(
        for service: Service, _ metrics: MetricsConfiguration, _ main: HTTPServerConfiguration,
        _ buffers: BufferBudget, beside others: [ListenAddress]
    ) throws(ProgramFailure) -> HTTPServer? {
        guard metrics.isEnabled, let address = metrics.listen else { return nil }
        // With SO_REUSEPORT the kernel accepts both listeners and distributes the connections among them.
        guard !others.contains(where: { $0.sharesPort(with: address) }) else {
            throw ProgramFailure(
                .configuration, "metrics.listen: the port of \(address) is used by another listener; choose a free port"
            )
        }
        let settings = main.beside(on: address, connections: metricsConnections)
        let server = HTTPServer(configuration: settings, buffers: buffers) {
            service.makeHandler(loop: $0, offersOnlyMetrics: true)
        }
        try reporting(errorsAs: .system, after: "metrics.listen: ") { try server.start() }
        return server
    }

    /// Limit of connections to the metrics' separate address, enough for a few scrapers.
    private static let metricsConnections = 64
}

extension ListenAddress {
    /// Whether both have the same TCP port on any address; port 0 is never shared.
    fileprivate func sharesPort(with other: ListenAddress) -> Bool {
        guard case .tcp(_, let port) = self, case .tcp(_, let otherPort) = other else { return false }
        return port == otherPort && port != 0
    }
}
