import Dispatch
import HTTPServer
import Logging
package import PresignService
package import System
import Telemetry

/// The service as a process: it starts the servers, follows signals and changes of files, and stops.
package struct ServiceProcess: Sendable {
    /// The configuration file, which is watched; nil without one.
    private let file: String?
    /// Whether the local storage gets a new API key even if one is stored.
    private let makesKey: Bool
    private let read: @Sendable () throws(ProgramFailure) -> ServiceConfiguration

    /// - Parameter read: returns the current configuration, at the start and for each reload.
    package init(
        file: String?, makesKey: Bool, read: @escaping @Sendable () throws(ProgramFailure) -> ServiceConfiguration
    ) {
        (self.file, self.makesKey, self.read) = (file, makesKey, read)
    }

    /// Runs the service until a signal stops it.
    ///
    /// - Parameters:
    ///   - sockets: the inherited listening sockets.
    ///   - manager: the service manager, if there is one.
    package func run(
        on sockets: [InheritedSocket], until signals: ProcessSignals, supervisedBy manager: SystemdSocket?
    ) throws(ProgramFailure) {
        // Taken before the files are read, so that a change during the start is noticed.
        var stamps = FileStamps(file.map { [$0] } ?? [])
        var configuration = try read()
        stamps.add(FileStamps(configuration.files))
        let running = configuration
        try Self.checkDescriptors(for: configuration)
        let logs = ServiceLogs(configuration.log)
        defer { logs.flush() }
        let buffers = BufferBudget(of: configuration.server)
        let storage = try EmbeddedStorage.start(for: configuration, makesKey: makesKey, buffers, logs.logger)
        defer { storage?.stop() }
        try storage?.serve(&configuration)
        let parts = try ServiceParts(configuration, logs)
        defer { parts.shutdown() }
        let servers = try ServiceServers(parts, configuration, on: sockets, buffers, beside: storage?.address, logs)
        defer { servers.stop() }
        // Last, so that a failed start prints only the error.
        servers.announce(parts, logs.logger)
        try storage?.announce(beside: servers, servesPage: configuration.servesPage, logs.logger)
        let notifier = SystemdNotifier(by: manager, of: servers.main.boundAddresses, logs.logger)
        let credentials = CredentialFiles(parts.refreshers, of: parts.service, logs.logger)
        credentials.follow(configuration)
        defer { credentials.stop() }
        let reload = reload(of: parts, startedWith: running, since: stamps, credentials, storage, notifier, logs.logger)
        reload.start()
        defer { reload.stop() }
        // Both stop at the same time, so that each has the full drain timeout.
        let stop = DelayedStop(after: configuration.shutdownDelay) {
            servers.main.shutdown()
            storage?.beginStop()
        }
        Self.observe(
            signals, reopening: parts.audit, reloading: reload, refreshing: credentials, stopping: parts.service,
            with: stop, notifying: notifier, logs.logger)
        let heartbeat = notifier.watch(servers.main)
        defer { heartbeat?.cancel() }
        notifier.notifyReady()
        try Self.wait(for: servers, storage, logs.logger)
    }

    /// Creates the reload of the configuration that this process started with.
    private func reload(
        of parts: ServiceParts, startedWith running: ServiceConfiguration, since stamps: FileStamps,
        _ credentials: CredentialFiles, _ storage: EmbeddedStorage?, _ notifier: SystemdNotifier, _ logger: Logger
    ) -> ConfigurationReload {
        ConfigurationReload(
            of: parts, startedWith: running, file: file, since: stamps, credentials, storage, notifier, logger
        ) { () throws(ProgramFailure) in
            var configuration = try read()
            try storage?.serve(&configuration)
            return configuration
        }
    }

    /// Returns once the servers have stopped.
    private static func wait(
        for servers: ServiceServers, _ storage: EmbeddedStorage?, _ logger: Logger
    ) throws(ProgramFailure) {
        servers.main.wait()
        storage?.stop()
        if let failure = servers.failure ?? storage?.failure { throw ProgramFailure(.system, failure.description) }
        logger.notice("stopped", metadata: ["event": "stopped"])
    }

    /// Reloads, reopens the audit file and stops on signals.
    private static func observe(
        _ signals: ProcessSignals, reopening audit: AuditStream?, reloading reload: ConfigurationReload,
        refreshing credentials: CredentialFiles, stopping service: Service, with stop: DelayedStop,
        notifying notifier: SystemdNotifier, _ logger: Logger
    ) {
        signals.observe(on: DispatchQueue(label: "presign.signals")) { request, signal in
            switch request {
            case .reload:
                audit?.reopen()
                credentials.refresh()
                reload.begin(because: "SIGHUP")
            case .reopen: audit?.reopen()
            case .stop:
                logger.notice("stopping", metadata: ["event": "stopping", "signal": "\(signal)"])
                notifier.notifyStopping()
                service.beginShutdown()
                stop.request()
            }
        }
    }

    /// Checks that the limit of open files suffices for the start, because Dispatch traps when it runs out of them.
    private static func checkDescriptors(for configuration: ServiceConfiguration) throws(ProgramFailure) {
        let loops =
            configuration.server.loops + (configuration.metrics.listen == nil ? 0 : 1)
            + (configuration.local == nil ? 0 : EmbeddedStorage.loops)
        let needed = 4 * loops + 24
        guard let limit = ProcessUsage.descriptorLimit, limit < needed else { return }
        throw ProgramFailure(
            .system,
            "the limit of \(limit) open files is too low, presign needs \(needed): raise it (ulimit -n) or lower"
                + " server.loops"
        )
    }
}
