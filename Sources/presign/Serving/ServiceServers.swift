import HTTP1
import HTTPServer
import Logging
import PresignService
import System

/// The listeners of `presign serve`, but for those of the embedded storage.
struct ServiceServers: Sendable {
    let main: HTTPServer
    /// Of the metrics, if they have an address of their own.
    private let metrics: HTTPServer?

    /// Starts them.
    ///
    /// - Parameters:
    ///   - sockets: what was inherited to listen on.
    ///   - buffers: the process's memory for requests and responses.
    ///   - other: where another server of this process listens.
    init(
        _ parts: ServiceParts, _ configuration: ServiceConfiguration, on sockets: [InheritedSocket],
        _ buffers: BufferBudget, beside other: ListenAddress?, _ logs: ServiceLogs
    ) throws(CommandFailure) {
        let service = parts.service
        main = HTTPServer(
            configuration: configuration.server, tls: parts.tls?.source, inheriting: sockets.map(\.descriptor),
            buffers: buffers
        ) {
            service.makeHandler(loop: $0)
        }
        do {
            try main.start()
        } catch {
            throw CommandFailure(.system, error.description)
        }
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

    /// Why one of them has ended before it was asked to.
    var failure: HTTPServerError? { main.failure ?? metrics?.failure }

    /// What speaks HTTP or HTTPS for the service, and where.
    var addresses: [ServedAddress] {
        main.boundAddresses.enumerated().map { index, address in
            ServedAddress(address: address, isSecure: main.speaksTLS(at: index))
        }
    }

    /// Says in the log what should be looked at, and where it listens.
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

    /// Returns when the last connection is gone. The metrics go last, so that what happens until then can be seen.
    func stop() {
        for server in [main, metrics].compactMap({ $0 }) {
            server.shutdown()
            server.wait()
        }
    }

    /// The server of the metrics alone, if they have an address of their own.
    ///
    /// - Parameter others: where other servers of this process listen.
    private static func metricsServer(
        for service: Service, _ metrics: MetricsConfiguration, _ main: HTTPServerConfiguration,
        _ buffers: BufferBudget, beside others: [ListenAddress]
    ) throws(CommandFailure) -> HTTPServer? {
        guard metrics.isEnabled, let address = metrics.listen else { return nil }
        // The system would let both have it, and share the connections out among them.
        guard !others.contains(where: { $0.sharesPort(with: address) }) else {
            throw CommandFailure(
                .configuration, "metrics.listen: \(address) has the port of another listener; choose a free one")
        }
        var settings = HTTPServerConfiguration(listen: [address], loops: 1)
        settings.timeouts = main.timeouts
        settings.limits.connections = min(metricsConnections, main.limits.connections)
        let server = HTTPServer(configuration: settings, buffers: buffers) { MetricsHandler(service, loop: $0) }
        do {
            try server.start()
        } catch {
            throw CommandFailure(.system, "the metrics: \(error.description)")
        }
        return server
    }

    /// Connections to the metrics' own address: a few scrapers.
    private static let metricsConnections = 64
}

extension ListenAddress {
    /// Whether both are the same port of TCP, of whatever address; a port that the system chooses is no one's.
    fileprivate func sharesPort(with other: ListenAddress) -> Bool {
        guard case .tcp(_, let port) = self, case .tcp(_, let otherPort) = other else { return false }
        return port == otherPort && port != 0
    }
}
