import ArgumentParser
import Dispatch
import HTTPServing
import Logging
import ObjectExistence
import PresignService
import SystemInterface

/// `presign serve`: reads the configuration, assembles the parts, and runs until SIGTERM or SIGINT.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the service.",
        discussion: """
            Requests are logged to standard output, diagnostics to standard error, one JSON object a line. SIGTERM and
            SIGINT stop it: it says that it is not ready, and after server.shutdownDelay, or at once when asked again, nothing
            new is accepted and what is in flight is answered (at most server.timeouts.drain). SIGHUP, or a change of the
            file, reads the configuration again; a broken one leaves the one before in place.

            With --local an S3-compatible storage for development runs beside the service, on this machine only, and
            every store of the configuration is served by it. Without --config there is one bucket, `local`, an upload
            page at /, and one API key, which is printed when it is made.

            EXAMPLES
              presign serve --local ./data
              AWS_ACCESS_KEY_ID=... AWS_SECRET_ACCESS_KEY=... presign serve --config config/presign.yaml
            """)

    @Option(help: "The YAML configuration file; may be left out with --local.")
    var config: String?

    @Option(help: ArgumentHelp("Keep objects in DIR and serve them, for development.", valueName: "dir"))
    var local: String?

    @Option(help: ArgumentHelp("Listen here, whatever the configuration says.", valueName: "address"))
    var listen: String?

    @Option(help: ArgumentHelp("Where the storage of --local listens: a loopback address.", valueName: "address"))
    var localListen: String?

    @Flag(help: "Beside the storage of --local: make a new API key, in place of the one made before.")
    var newKey = false

    @Option(
        name: .customLong("cors-origin"),
        help: ArgumentHelp("A web origin that may call, besides the configured ones; repeatable.", valueName: "origin"))
    var corsOrigins: [String] = []

    func validate() throws {
        guard config != nil || local != nil else {
            throw ValidationError("give --config FILE, or --local DIR for a storage on this machine")
        }
        guard local != "" else { throw ValidationError("--local needs the name of a directory") }
        for origin in corsOrigins {
            if let mistake = CORSPolicy.mistake(in: origin) { throw ValidationError("--cors-origin: \(mistake)") }
        }
    }

    func run() throws {
        // They wait since the beginning of `main`.
        let signals = ProcessSignals()
        // While there is one thread: both take variables from the environment.
        let manager = ServiceManager.takeOver()
        let sockets = Result { () throws(InheritedSocket.Failure) in try InheritedSocket.takeOver() }
        ProcessHardening.apply()
        ProcessHardening.raiseDescriptorLimit()
        try reportingFailure {
            try serve(on: try Self.checked(sockets, listen), until: signals, supervisedBy: manager)
        }
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
                throw CommandFailure(.usage, "--local-listen: \(address): \(LocalConfiguration.loopbackMend)")
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
        on sockets: [InheritedSocket], until signals: ProcessSignals, supervisedBy manager: ServiceManager?
    ) throws(CommandFailure) {
        var looks = FileLooks(config.map { [$0] } ?? [])
        var configuration = try effectiveConfiguration()
        looks.settle(FileLooks(configuration.files))
        let running = configuration
        let diagnostics = LogSink(label: "presign.log.diagnostics") { Self.write($0, to: .standardError) }
        let requests = LogSink(label: "presign.log.requests") { Self.write($0, to: .standardOutput) }
        let logger = JSONLinesLogHandler.logger(level: configuration.log.level, sink: diagnostics)
        defer {
            diagnostics.flush()
            requests.flush()
        }
        let storage = try EmbeddedStorage.start(for: configuration, makesKey: newKey, logger)
        defer { storage?.stop() }
        try storage?.serve(&configuration)
        let checker = try Self.existenceChecker(configuration.existence)
        defer { checker.shutdown() }
        let audit = try Self.audit(configuration.audit, standardOutput: requests, logger)
        defer { audit?.close() }
        let supply = CredentialSupply { Environment.value($0) }
        let snapshot = try Self.snapshot(of: configuration, supply)
        let service = try Self.service(
            snapshot, checker: checker, requestLog: configuration.log.requests ? requests : nil, audit: audit,
            configuration.metrics)
        let tls = try Self.tls(configuration.tls, logger)
        let server = HTTPServer(
            configuration: configuration.server, tls: tls?.source, inheriting: sockets.map(\.descriptor)
        ) {
            service.makeHandler(loop: $0)
        }
        do {
            try server.start()
        } catch {
            throw CommandFailure(.system, error.description)
        }
        defer {
            server.shutdown()
            server.wait()
        }
        service.metrics.observe(server)
        service.metrics.observe(diagnostics: diagnostics)
        let metrics = try Self.metricsServer(
            for: service, configuration.metrics, configuration.server,
            beside: server.boundAddresses + (storage.map { [$0.address] } ?? []))
        // Last of all, so that what happens until the end can be seen.
        defer {
            metrics?.shutdown()
            metrics?.wait()
        }
        // Only now: when a start fails, its one line is all there is.
        for warning in snapshot.warnings { logger.warning("\(warning)") }
        tls?.warn()
        for (index, address) in server.boundAddresses.enumerated() {
            let tls = configuration.speaksTLS(address, at: index)
            logger.notice("listening", metadata: ["event": "listening", "address": "\(address)", "tls": "\(tls)"])
        }
        for address in metrics?.boundAddresses ?? [] {
            logger.notice("listening", metadata: ["event": "metrics-listening", "address": "\(address)"])
        }
        if let storage {
            logger.notice("listening", metadata: ["event": "storage-listening", "address": "\(storage.address)"])
            logger.warning("the local storage is for development: one machine, no replicas, no backups")
            let addresses = server.boundAddresses.enumerated().map { index, address in
                ServedAddress(address: address, isSecure: configuration.speaksTLS(address, at: index))
            }
            try storage.announce(beside: addresses, servesPage: configuration.servesPage)
            storage.end(with: server)
        }
        let credentials = CredentialRefresh(of: service, supply, logger)
        credentials.follow(configuration)
        defer { credentials.stop() }
        let supervision = Supervision(by: manager, of: server.boundAddresses, logger)
        let reload = ConfigurationReload(
            of: service, startedWith: running, snapshot, file: config, tls: tls, credentials, supervision, logger
        ) {
            () throws(CommandFailure) in
            var configuration = try effectiveConfiguration()
            try storage?.serve(&configuration)
            return configuration
        }
        reload.watch(since: looks)
        defer { reload.stop() }
        // Both at once, so that both have the whole time to drain.
        let stop = DelayedStop(after: configuration.shutdownDelay) {
            server.shutdown()
            storage?.beginStop()
        }
        signals.observe(on: DispatchQueue(label: "presign.signals")) { request, signal in
            switch request {
            case .reload:
                audit?.reopen()
                credentials.lookAgain()
                return reload.begin(because: "SIGHUP")
            case .reopen: return audit?.reopen() ?? ()
            case .stop: break
            }
            logger.notice("stopping", metadata: ["event": "stopping", "signal": "\(signal)"])
            supervision.beginStop()
            service.beginShutdown()
            stop.ask()
        }
        let heartbeat = supervision.watch(server)
        defer { heartbeat?.cancel() }
        supervision.begin()
        ProcessMemory.releaseWhatTheStartNeeded()
        server.wait()
        storage?.stop()
        if let failure = server.failure ?? storage?.failure ?? metrics?.failure {
            throw CommandFailure(.system, failure.description)
        }
        logger.notice("stopped", metadata: ["event": "stopped"])
    }

    /// A log that cannot be written is no reason to stop serving, and there is nowhere left to say so.
    private static func write(_ bytes: [UInt8], to writer: DescriptorWriter) {
        try? writer.write(bytes)
    }
}
