import CryptoHashing
import HTTPServing
import Logging
import ObjectExistence
import PresignService
import SystemInterface

extension Serve {
    /// The sockets of socket activation, which leave no place for another address.
    static func checked(
        _ sockets: Result<[InheritedSocket], InheritedSocket.Failure>, _ listen: String?
    ) throws(CommandFailure) -> [InheritedSocket] {
        do {
            let sockets = try sockets.get()
            guard sockets.isEmpty || listen == nil else {
                throw CommandFailure(
                    .usage, "--listen: the service was started with sockets to listen on (LISTEN_FDS); leave it out")
            }
            return sockets
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.system, "\(error)")
        }
    }

    /// Checks that the process may open the descriptors that a start needs: Dispatch traps when it has none left.
    static func checkDescriptors(for configuration: ServiceConfiguration) throws(CommandFailure) {
        let loops =
            configuration.server.loops + (configuration.metrics.listen == nil ? 0 : 1)
            + (configuration.local == nil ? 0 : EmbeddedStorage.loops)
        let needed = 4 * loops + 24
        guard let limit = ProcessUsage.descriptorLimit, limit < needed else { return }
        throw CommandFailure(
            .system,
            "the process may open \(limit) files and needs \(needed): raise the limit (ulimit -n), or lower server.loops"
        )
    }

    /// Whether what the existence check needs can be read.
    static func checkFiles(of configuration: ExistenceConfiguration) throws(CommandFailure) {
        guard let file = configuration.caFile else { return }
        do {
            _ = try ReadableFile.contents(of: file)
        } catch {
            throw CommandFailure(.configuration, "existence.caFile: \(error)")
        }
    }

    /// Whether the audit's file can be opened, or made; it is not made.
    static func checkFiles(of configuration: AuditConfiguration) throws(CommandFailure) {
        guard case .file(let path) = configuration.destination else { return }
        do {
            try OutputDescriptor.checkAppending(to: path)
        } catch {
            throw CommandFailure(.configuration, "audit.to: cannot open \(path): \(error)")
        }
    }

    /// What sends the HEAD of validateObjectExistence.
    static func existenceChecker(
        _ configuration: ExistenceConfiguration
    ) throws(CommandFailure) -> ObjectExistenceChecker {
        try checkFiles(of: configuration)
        var limits = ObjectExistenceConfiguration()
        limits.maximumInFlight = configuration.maximumInFlight
        limits.maximumQueued = configuration.maximumQueued
        limits.connectTimeout = configuration.connectTimeout
        limits.totalTimeout = configuration.timeout
        limits.proxy = configuration.proxy
        limits.certificateAuthorityFile = configuration.caFile
        return ObjectExistenceChecker(limits)
    }

    /// What a configuration comes to, with the credentials of now.
    static func snapshot(
        of configuration: ServiceConfiguration, _ credentials: CredentialSupply
    ) throws(CommandFailure) -> ServiceSnapshot {
        do {
            return try ServiceSnapshot(
                configuration, credentials: credentials, read: { try ReadableFile.contents(of: $0) })
        } catch {
            throw CommandFailure(.configuration, "\(error)")
        }
    }

    /// The service itself.
    static func service(
        _ snapshot: ServiceSnapshot, checker: ObjectExistenceChecker, requestLog: LogSink?, audit: AuditStream?,
        _ metrics: MetricsConfiguration
    ) throws(CommandFailure) -> Service {
        let start: String
        do {
            start = Hexadecimal.encode(try SecureRandom.bytes(count: 8))
        } catch {
            throw CommandFailure(.system, error.description)
        }
        return Service(
            snapshot,
            existence: ExistenceCheck { url, completion in
                checker.head(url: url, headers: []) { completion(Self.outcome($0)) }
            },
            requestLog: requestLog, audit: audit, offersMetrics: metrics.isServedWithTheRest, requestIDStart: start)
    }

    /// The server of the metrics alone, if they have an address of their own.
    ///
    /// - Parameter others: where other servers of this process listen.
    static func metricsServer(
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

    /// The audit of a configuration; nil when it is off.
    static func audit(
        _ configuration: AuditConfiguration, standardOutput: LogSink, _ logger: Logger
    ) throws(CommandFailure) -> AuditStream? {
        try checkFiles(of: configuration)
        do {
            return try AuditStream.open(configuration, standardOutput: standardOutput) {
                logger.warning("\($0)", metadata: ["event": "audit"])
            }
        } catch {
            throw CommandFailure(.configuration, "audit.to: \(error)")
        }
    }

    private static func outcome(_ outcome: ObjectExistenceOutcome) -> ExistenceOutcome {
        switch outcome {
        case .status(let status): .status(status)
        case .timedOut: .timedOut
        case .failed(let reason): .failed(reason)
        case .overloaded: .overloaded
        }
    }
}

extension ListenAddress {
    /// Whether both are the same port of TCP, of whatever address; a port that the system chooses is no one's.
    fileprivate func sharesPort(with other: ListenAddress) -> Bool {
        guard case .tcp(_, let port) = self, case .tcp(_, let otherPort) = other else { return false }
        return port == otherPort && port != 0
    }
}
