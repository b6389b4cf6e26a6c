import Logging
import PresignService
import System
import Telemetry

/// The logs of `presign serve`: requests on standard output, diagnostics on standard error.
///
/// The service continues if a log cannot be written.
struct ServiceLogs: Sendable {
    let diagnostics: LogSink
    /// Standard output, which the audit log can share.
    let output: LogSink
    let logger: Logger
    /// nil if requests are not logged.
    let requests: LogSink?

    init(_ configuration: LogConfiguration) {
        // Lost diagnostics are only counted; no other log could report them.
        let errors = LineWriter(DescriptorWriter.standardError.write) { _ in }
        diagnostics = LogSink(
            label: "presign.log.diagnostics", isTerminal: DescriptorWriter.standardError.isTerminal
        ) { errors.write($0) }
        let logger = JSONLinesLogHandler.logger(level: configuration.level, sink: diagnostics)
        self.logger = logger
        let lines = LineWriter(DescriptorWriter.standardOutput.write) { reason in
            logger.warning(
                "standard output cannot be written, log lines are lost: \(reason)", metadata: ["event": "log-failed"])
        }
        output = LogSink(
            label: "presign.log.requests", isTerminal: DescriptorWriter.standardOutput.isTerminal
        ) { lines.write($0) }
        requests = configuration.requests ? output : nil
    }

    /// Writes all buffered lines, then returns; for the end of the process.
    func flush() {
        output.flush()
        diagnostics.flush()
    }
}
