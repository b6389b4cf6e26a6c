import ArgumentParser
import ConfigurationReading
import Cryptography
import DataFormats
import Dispatch
import HTTP1
import HTTPServer
import Logging
import PresignService
import Presigning
import System
import Telemetry

/// `presign serve`: reads the configuration and runs the service until SIGTERM or SIGINT.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the service.",
        usage: """
            presign serve --config <config> [<options>]
            presign serve --local <dir> [<options>]
            """,
        discussion: """
            Request logs go to standard output and diagnostics to standard error, as JSON
            Lines, or as text on a terminal.

            SIGTERM and SIGINT stop the service: /readyz reports that it is not ready, and
            after server.shutdownDelay, or at once on a second signal, it stops accepting
            connections and completes the requests in flight (at most
            server.timeouts.drain). SIGHUP, or a change of the file, reloads the
            configuration; if the new one is invalid, the current one stays in use.

            --local runs an S3-compatible storage for development beside the service. It
            listens on this machine only, and all stores of the configuration use it.
            Without --config there is one bucket, `local`, an upload page at /, and one API
            key, which is printed and stored in DIR/api-key.
            Without configured origins, web pages of this machine can call both.

            EXAMPLES
              presign serve --local ./data
              AWS_ACCESS_KEY_ID=... AWS_SECRET_ACCESS_KEY=... \\
                presign serve --config config/presign.yaml
            """)

    @Option(help: "The YAML configuration file; optional with --local.", completion: .yaml) var config: String?
    @Option(
        help: ArgumentHelp("Store objects in DIR and serve them, for development.", valueName: "dir"),
        completion: .directory)
    var local: String?
    @Option(
        help: ArgumentHelp(
            "The address to listen on, instead of those of the configuration: HOST:PORT or unix:/path.",
            valueName: "address"),
        transform: ListenAddress.parse)
    var listen: ListenAddress?
    @Option(
        help: ArgumentHelp("The loopback address for the storage of --local.", valueName: "address"),
        transform: ListenAddress.parse)
    var localListen: ListenAddress?
    @Flag(help: "Replace the stored API key of --local with a new one.") var newKey = false
    @Option(
        name: .customLong("cors-origin"),
        help: ArgumentHelp(
            "A web origin that can call the service, in addition to those of the configuration; repeatable.",
            valueName: "origin"))
    var corsOrigins: [String] = []

    private func check() throws(ValidationError) {
        guard config != nil || local != nil else {
            throw ValidationError("--config FILE is required, or --local DIR for a storage on this machine")
        }
        guard local != "" else { throw ValidationError("--local requires the name of a directory") }
        for origin in corsOrigins {
            if let mistake = CORSPolicy.mistake(in: origin) { throw ValidationError("--cors-origin: \(mistake)") }
        }
    }

    func run() throws {
        try check()
        // `main` has blocked them already; this repeats it for other callers.
        let signals = ProcessSignals()
        // Before any thread starts: both remove variables from the environment, which is not thread-safe.
        let manager = SystemdSocket.takeOver()
        let sockets = Result { () throws(InheritedSocket.Failure) in try InheritedSocket.takeOver() }
        ProcessHardening.apply()
        ProcessHardening.raiseDescriptorLimit()
        try serve(on: try Self.checked(sockets, listen), until: signals, supervisedBy: manager)
    }

    /// Reads the configuration and applies the options to it.
    private func effectiveConfiguration() throws(CommandFailure) -> ServiceConfiguration {
        var configuration = if let config { try ConfigurationFile.read(config) } else { try builtIn() }
        if let local {
            configuration.local = configuration.local ?? LocalConfiguration(directory: local)
            configuration.local?.directory = local
        }
        if let listen { configuration.server.listen = [listen] }
        if let localListen {
            guard LocalConfiguration.isLoopback(localListen) else {
                throw CommandFailure(
                    .usage, "--local-listen: \(localListen): \(LocalConfiguration.loopbackRequirement)")
            }
            guard configuration.local != nil else {
                throw CommandFailure(.usage, "--local-listen requires --local, or `local` in the configuration")
            }
            configuration.local?.listen = localListen
        }
        if newKey {
            guard configuration.local != nil else {
                throw CommandFailure(.usage, "--new-key requires --local, or `local` in the configuration")
            }
            guard !configuration.hasCallers else {
                throw CommandFailure(
                    .usage, "--new-key: presign generates a key only if the configuration has no callers; leave it out")
            }
        }
        configuration.cors = configuration.cors.adding(corsOrigins)
        return configuration
    }

    private func builtIn() throws(CommandFailure) -> ServiceConfiguration {
        try reporting(errorsAs: .configuration) { try .local(in: local ?? "") }
    }

    private func serve(
        on sockets: [InheritedSocket], until signals: ProcessSignals, supervisedBy manager: SystemdSocket?
    ) throws(CommandFailure) {
        // Taken before the files are read, so that a change during the start is noticed.
        var stamps = FileStamps(config.map { [$0] } ?? [])
        var configuration = try effectiveConfiguration()
        stamps.add(FileStamps(configuration.files))
        let running = configuration
        try Self.checkDescriptors(for: configuration)
        let logs = ServiceLogs(configuration.log)
        defer { logs.flush() }
        let buffers = BufferBudget(limit: configuration.server.limits.bufferedBytes)
        let storage = try EmbeddedStorage.start(for: configuration, makesKey: newKey, buffers, logs.logger)
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
        let refreshers = Refreshers(of: parts.service, parts.credentialPool, parts.issuerKeyPool, logs.logger)
        refreshers.follow(configuration)
        defer { refreshers.stop() }
        let reload = reload(of: parts, startedWith: running, since: stamps, refreshers, storage, notifier, logs.logger)
        reload.start()
        defer { reload.stop() }
        // Both stop at the same time, so that each has the full drain timeout.
        let stop = DelayedStop(after: configuration.shutdownDelay) {
            servers.main.shutdown()
            storage?.beginStop()
        }
        observe(
            signals, reopening: parts.audit, reloading: reload, refreshing: refreshers, stopping: parts.service,
            with: stop, notifying: notifier, logs.logger)
        let heartbeat = notifier.watch(servers.main)
        defer { heartbeat?.cancel() }
        notifier.notifyReady()
        try Self.wait(for: servers, storage, logs.logger)
    }

    /// Returns once the servers have stopped.
    private static func wait(
        for servers: ServiceServers, _ storage: EmbeddedStorage?, _ logger: Logger
    ) throws(CommandFailure) {
        servers.main.wait()
        storage?.stop()
        if let failure = servers.failure ?? storage?.failure { throw CommandFailure(.system, failure.description) }
        logger.notice("stopped", metadata: ["event": "stopped"])
    }

    /// Creates the reload of the configuration that this process started with.
    private func reload(
        of parts: ServiceParts, startedWith running: ServiceConfiguration, since stamps: FileStamps,
        _ refreshers: Refreshers, _ storage: EmbeddedStorage?, _ notifier: SystemdNotifier, _ logger: Logger
    ) -> ConfigurationReload {
        ConfigurationReload(
            of: parts.service, startedWith: running, parts.snapshot, file: config, since: stamps, tls: parts.tls,
            refreshers, storage, notifier, logger
        ) {
            () throws(CommandFailure) in
            var configuration = try effectiveConfiguration()
            try storage?.serve(&configuration)
            return configuration
        }
    }

    /// Reloads, reopens the audit file and stops on signals.
    private func observe(
        _ signals: ProcessSignals, reopening audit: AuditStream?, reloading reload: ConfigurationReload,
        refreshing refreshers: Refreshers, stopping service: Service, with stop: DelayedStop,
        notifying notifier: SystemdNotifier, _ logger: Logger
    ) {
        signals.observe(on: DispatchQueue(label: "presign.signals")) { request, signal in
            switch request {
            case .reload:
                audit?.reopen()
                refreshers.refreshCredentials()
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

    /// Returns the sockets of socket activation.
    ///
    /// - Throws: a usage failure if `--listen` names another address, a system failure if a socket is unusable.
    static func checked(
        _ sockets: Result<[InheritedSocket], InheritedSocket.Failure>, _ listen: ListenAddress?
    ) throws(CommandFailure) -> [InheritedSocket] {
        try reporting(errorsAs: .system) {
            let sockets = try sockets.get()
            guard sockets.isEmpty || listen == nil else {
                throw CommandFailure(
                    .usage, "--listen cannot be combined with socket activation (LISTEN_FDS is set); leave it out")
            }
            return sockets
        }
    }

    /// Checks that the limit of open files suffices for the start, because Dispatch traps when it runs out of them.
    static func checkDescriptors(for configuration: ServiceConfiguration) throws(CommandFailure) {
        let loops =
            configuration.server.loops + (configuration.metrics.listen == nil ? 0 : 1)
            + (configuration.local == nil ? 0 : EmbeddedStorage.loops)
        let needed = 4 * loops + 24
        guard let limit = ProcessUsage.descriptorLimit, limit < needed else { return }
        throw CommandFailure(
            .system,
            "the limit of \(limit) open files is too low, presign needs \(needed): raise it (ulimit -n) or lower"
                + " server.loops"
        )
    }
}
