import ConfigurationReading
import Cryptography
import DataFormats
import Dispatch
import HTTP1
import HTTPServer
import Logging
import PresignService
import System
import Telemetry

/// `presign serve`: reads the configuration, assembles the parts, and runs until SIGTERM or SIGINT.
struct Serve: Command {
    static let title = CommandTitle(
        "serve",
        abstract: "Run the service.",
        discussion: """
            Requests are logged to standard output, diagnostics to standard error, one JSON
            object a line; on a terminal both are text. SIGTERM and SIGINT stop it: it says that it is not ready, and
            after server.shutdownDelay, or at once when asked again, nothing new is accepted
            and what is in flight is answered (at most server.timeouts.drain). SIGHUP, or a
            change of the file, reads the configuration again; a broken one leaves the one
            before in place.

            With --local an S3-compatible storage for development runs beside the service,
            on this machine only, and every store of the configuration is served by it.
            Without --config there is one bucket, `local`, an upload page at /, and one API
            key, which is printed and kept in DIR/api-key.

            EXAMPLES
              presign serve --local ./data
              AWS_ACCESS_KEY_ID=... AWS_SECRET_ACCESS_KEY=... \\
                presign serve --config config/presign.yaml
            """)

    private let config: String?
    private let local: String?
    private let listen: String?
    private let localListen: String?
    private let newKey: Bool
    private let corsOrigins: [String]

    init(from arguments: inout Arguments) {
        config = arguments.option("config", help: "The YAML configuration file; may be left out with --local.")
        local = arguments.option("local", "dir", help: "Keep objects in DIR and serve them, for development.")
        listen = arguments.option("listen", "address", help: "Listen here, whatever the configuration says.")
        localListen = arguments.option(
            "local-listen", "address", help: "Where the storage of --local listens: a loopback address.")
        newKey = arguments.flag(
            "new-key", help: "Beside the storage of --local: make a new API key, in place of the stored one.")
        corsOrigins = arguments.options(
            "cors-origin", "origin", help: "A web origin that may call, besides the configured ones; repeatable.")
    }

    func validate() throws(UsageError) {
        guard config != nil || local != nil else {
            throw UsageError("give --config FILE, or --local DIR for a storage on this machine")
        }
        guard local != "" else { throw UsageError("--local needs the name of a directory") }
        for origin in corsOrigins {
            if let mistake = CORSPolicy.mistake(in: origin) { throw UsageError("--cors-origin: \(mistake)") }
        }
    }

    func run() throws {
        // First thing: threads started later inherit the mask.
        let signals = ProcessSignals()
        // While there is one thread: both take variables from the environment.
        let manager = SystemdSocket.takeOver()
        let sockets = Result { () throws(InheritedSocket.Failure) in try InheritedSocket.takeOver() }
        ProcessHardening.apply()
        ProcessHardening.raiseDescriptorLimit()
        try serve(on: try Self.checked(sockets, listen), until: signals, supervisedBy: manager)
    }

    /// What the file says, with the options in its place.
    private func effectiveConfiguration() throws(CommandFailure) -> ServiceConfiguration {
        var configuration = if let config { try ConfigurationFile.read(config) } else { try builtIn() }
        if let local {
            configuration.local = configuration.local ?? LocalConfiguration(directory: local)
            configuration.local?.directory = local
        }
        if let listen { configuration.server.listen = [try address(listen, "--listen")] }
        if let localListen {
            let address = try address(localListen, "--local-listen")
            guard LocalConfiguration.isLoopback(address) else {
                throw CommandFailure(.usage, "--local-listen: \(address): \(LocalConfiguration.loopbackRequirement)")
            }
            guard configuration.local != nil else {
                throw CommandFailure(.usage, "--local-listen goes with --local, or with `local` in the configuration")
            }
            configuration.local?.listen = address
        }
        if newKey {
            guard configuration.local != nil else {
                throw CommandFailure(.usage, "--new-key goes with --local, or with `local` in the configuration")
            }
            guard !configuration.hasCallers else {
                throw CommandFailure(
                    .usage, "--new-key: the configuration says who may call, so no key is made; leave it out")
            }
        }
        configuration.cors = configuration.cors.adding(corsOrigins)
        return configuration
    }

    private func builtIn() throws(CommandFailure) -> ServiceConfiguration {
        do {
            return try .local(in: local ?? "")
        } catch {
            throw CommandFailure(.configuration, error.description)
        }
    }

    private func address(_ text: String, _ option: String) throws(CommandFailure) -> ListenAddress {
        do {
            return try ListenAddress.parse(text)
        } catch {
            throw CommandFailure(.usage, "\(option): \(error)")
        }
    }

    private func serve(
        on sockets: [InheritedSocket], until signals: ProcessSignals, supervisedBy manager: SystemdSocket?
    ) throws(CommandFailure) {
        // What files look like before they are read.
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
        // Only now: when a start fails, its one line is all there is.
        servers.announce(parts, logs.logger)
        try storage?.announce(beside: servers, servesPage: configuration.servesPage, logs.logger)
        let notifier = SystemdNotifier(by: manager, of: servers.main.boundAddresses, logs.logger)
        let credentials = CredentialRefresh(of: parts.service, parts.supply, logs.logger)
        credentials.follow(configuration)
        defer { credentials.stop() }
        let reload = reload(of: parts, startedWith: running, credentials, storage, notifier, logs.logger)
        reload.watch(since: stamps)
        defer { reload.stop() }
        // Both at once, so that both have the whole time to drain.
        let stop = DelayedStop(after: configuration.shutdownDelay) {
            servers.main.shutdown()
            storage?.beginStop()
        }
        observe(signals, parts, credentials, reload, notifier, stop, logs.logger)
        let heartbeat = notifier.watch(servers.main)
        defer { heartbeat?.cancel() }
        notifier.begin()
        servers.main.wait()
        storage?.stop()
        if let failure = servers.failure ?? storage?.failure { throw CommandFailure(.system, failure.description) }
        logs.logger.notice("stopped", metadata: ["event": "stopped"])
    }

    /// The reload of the configuration that this process serves with.
    private func reload(
        of parts: ServiceParts, startedWith running: ServiceConfiguration, _ credentials: CredentialRefresh,
        _ storage: EmbeddedStorage?, _ notifier: SystemdNotifier, _ logger: Logger
    ) -> ConfigurationReload {
        ConfigurationReload(
            of: parts.service, startedWith: running, parts.snapshot, file: config, tls: parts.tls, credentials,
            storage, notifier, logger
        ) {
            () throws(CommandFailure) in
            var configuration = try effectiveConfiguration()
            try storage?.serve(&configuration)
            return configuration
        }
    }

    /// Reloads, reopens the audit and stops when signals ask for it.
    private func observe(
        _ signals: ProcessSignals, _ parts: ServiceParts, _ credentials: CredentialRefresh,
        _ reload: ConfigurationReload, _ notifier: SystemdNotifier, _ stop: DelayedStop, _ logger: Logger
    ) {
        signals.observe(on: DispatchQueue(label: "presign.signals")) { request, signal in
            switch request {
            case .reload:
                parts.audit?.reopen()
                credentials.lookAgain()
                reload.begin(because: "SIGHUP")
            case .reopen: parts.audit?.reopen()
            case .stop:
                logger.notice("stopping", metadata: ["event": "stopping", "signal": "\(signal)"])
                notifier.beginStop()
                parts.service.beginShutdown()
                stop.ask()
            }
        }
    }
}
