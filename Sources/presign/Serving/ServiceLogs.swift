import Logging
import PresignService
import System
import Telemetry

/// Where `presign serve` writes: requests to standard output, diagnostics to standard error. A log that cannot be written is
/// no reason to stop serving.
struct ServiceLogs: Sendable {
    let diagnostics: LogSink
    /// Standard output, which the audit may share.
    let output: LogSink
    let logger: Logger
    /// Nil when requests are not logged.
    let requests: LogSink?

    init(_ configuration: LogConfiguration) {
        // What of it cannot be written is counted; there is nowhere else to say so.
        let errors = LineWriter(DescriptorWriter.standardError.write) { _ in }
        diagnostics = LogSink(
            label: "presign.log.diagnostics", isTerminal: DescriptorWriter.standardError.isTerminal
        ) { errors.write($0) }
        let logger = JSONLinesLogHandler.logger(level: configuration.level, sink: diagnostics)
        self.logger = logger
        let lines = LineWriter(DescriptorWriter.standardOutput.write) { reason in
            logger.warning(
                "lines of standard output are lost, it cannot be written: \(reason)", metadata: ["event": "log-failed"])
        }
        output = LogSink(
            label: "presign.log.requests", isTerminal: DescriptorWriter.standardOutput.isTerminal
        ) { lines.write($0) }
        requests = configuration.requests ? output : nil
    }

    /// Writes what waits, then returns; for the end of the process.
    func flush() {
        output.flush()
        diagnostics.flush()
    }
}
