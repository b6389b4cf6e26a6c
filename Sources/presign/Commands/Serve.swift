import ArgumentParser
import HTTPServer
import PresignService
import ServiceRuntime
import System

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
            if let mistake = ServiceConfiguration.mistake(inWebOrigin: origin) {
                throw ValidationError("--cors-origin: \(mistake)")
            }
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
        let process = ServiceProcess(file: config, makesKey: newKey) { () throws(ProgramFailure) in
            try effectiveConfiguration()
        }
        try process.run(on: try Self.checked(sockets, listen), until: signals, supervisedBy: manager)
    }

    /// Reads the configuration and applies the options to it.
    private func effectiveConfiguration() throws(ProgramFailure) -> ServiceConfiguration {
        var configuration =
            if let config {
                try ConfigurationFile.read(config)
            } else {
                try reporting(errorsAs: .configuration) { try ServiceConfiguration.local(in: local ?? "") }
            }
        if let local {
            configuration.local = configuration.local ?? LocalConfiguration(directory: local)
            configuration.local?.directory = local
        }
        if let listen { configuration.server.listen = [listen] }
        if let localListen {
            guard LocalConfiguration.isLoopback(localListen) else {
                throw ProgramFailure(
                    .usage, "--local-listen: \(localListen): \(LocalConfiguration.loopbackRequirement)")
            }
            guard configuration.local != nil else {
                throw ProgramFailure(.usage, "--local-listen requires --local, or `local` in the configuration")
            }
            configuration.local?.listen = localListen
        }
        if newKey {
            guard configuration.local != nil else {
                throw ProgramFailure(.usage, "--new-key requires --local, or `local` in the configuration")
            }
            guard !configuration.hasCallers else {
                throw ProgramFailure(
                    .usage, "--new-key: presign generates a key only if the configuration has no callers; leave it out")
            }
        }
        configuration.add(webOrigins: corsOrigins)
        return configuration
    }

    /// Returns the sockets of socket activation.
    ///
    /// - Throws: a usage failure if `--listen` names another address, a system failure if a socket is unusable.
    static func checked(
        _ sockets: Result<[InheritedSocket], InheritedSocket.Failure>, _ listen: ListenAddress?
    ) throws(ProgramFailure) -> [InheritedSocket] {
        try reporting(errorsAs: .system) {
            let sockets = try sockets.get()
            guard sockets.isEmpty || listen == nil else {
                throw ProgramFailure(
                    .usage, "--listen cannot be combined with socket activation (LISTEN_FDS is set); leave it out")
            }
            return sockets
        }
    }
}
