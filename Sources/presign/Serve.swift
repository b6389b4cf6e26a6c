import ArgumentParser
import CryptoHashing
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
            SIGINT stop it: nothing new is accepted, what is in flight is answered (at most server.timeouts.drain).

            EXAMPLE
              AWS_ACCESS_KEY_ID=... AWS_SECRET_ACCESS_KEY=... presign serve --config config/presign.yaml
            """)

    @OptionGroup var file: ConfigurationOption

    func run() throws {
        // First of all: a signal from here on waits until somebody looks.
        let signals = TerminationSignals()
        ProcessHardening.apply()
        ProcessHardening.raiseDescriptorLimit()
        try reportingFailure {
            let configuration = try ConfigurationFile.read(file.config)
            try Self.serve(configuration, until: signals)
        }
    }

    private static func serve(
        _ configuration: ServiceConfiguration, until signals: TerminationSignals
    ) throws(CommandFailure) {
        let diagnostics = LogSink(label: "presign.log.diagnostics") { Self.write($0, to: .standardError) }
        let requests = LogSink(label: "presign.log.requests") { Self.write($0, to: .standardOutput) }
        let logger = JSONLinesLogHandler.logger(level: configuration.log.level, sink: diagnostics)
        defer {
            diagnostics.flush()
            requests.flush()
        }
        let checker = try existenceChecker(configuration.existence)
        defer { checker.shutdown() }
        let service = try service(configuration, checker: checker, requests: requests)

        let server = HTTPServer(configuration: configuration.server) { service.makeHandler(loop: $0) }
        do {
            try server.start()
        } catch {
            throw CommandFailure(.system, error.description)
        }
        // Only now: when a start fails, its one line is all there is.
        for warning in configuration.warnings.map(\.description) + service.warnings { logger.warning("\(warning)") }
        for address in server.boundAddresses {
            logger.notice("listening", metadata: ["event": "listening", "address": "\(address)"])
        }
        signals.observe(on: DispatchQueue(label: "presign.signals")) { signal in
            logger.notice("stopping", metadata: ["event": "stopping", "signal": "\(signal)"])
            service.beginShutdown()
            server.shutdown()
        }
        server.wait()
        if let failure = server.failure { throw CommandFailure(.system, failure.description) }
        logger.notice("stopped", metadata: ["event": "stopped"])
    }

    private static func existenceChecker(
        _ configuration: ExistenceConfiguration
    ) throws(CommandFailure) -> ObjectExistenceChecker {
        if let file = configuration.caFile {
            do {
                _ = try ReadableFile.contents(of: file)
            } catch {
                throw CommandFailure(.configuration, "existence.caFile: \(error)")
            }
        }
        var limits = ObjectExistenceConfiguration()
        limits.maximumInFlight = configuration.maximumInFlight
        limits.maximumQueued = configuration.maximumQueued
        limits.connectTimeout = configuration.connectTimeout
        limits.totalTimeout = configuration.timeout
        limits.proxy = configuration.proxy
        limits.certificateAuthorityFile = configuration.caFile
        do {
            return try ObjectExistenceChecker(limits)
        } catch {
            throw CommandFailure(.system, "the existence check cannot start: \(error)")
        }
    }

    private static func service(
        _ configuration: ServiceConfiguration, checker: ObjectExistenceChecker, requests: LogSink
    ) throws(CommandFailure) -> Service {
        let start: String
        do {
            start = Hexadecimal.encode(try SecureRandom.bytes(count: 8))
        } catch {
            throw CommandFailure(.system, error.description)
        }
        do {
            return try Service(
                configuration, environment: { Environment.value($0) },
                existence: ExistenceCheck { url, completion in
                    checker.head(url: url, headers: []) { completion(Self.outcome($0)) }
                },
                requestLog: configuration.log.requests ? requests : nil, requestIDStart: start)
        } catch {
            throw CommandFailure(.configuration, error.description)
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

    /// A log that cannot be written is no reason to stop serving, and there is nowhere left to say so.
    private static func write(_ bytes: [UInt8], to writer: DescriptorWriter) {
        try? writer.write(bytes)
    }
}
