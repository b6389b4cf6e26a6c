import Logging
import PresignService
import SystemInterface

/// Where `presign serve` writes: requests to standard output, diagnostics to standard error.
struct ServiceLogs: Sendable {
    let diagnostics = LogSink(label: "presign.log.diagnostics") { Self.write($0, to: .standardError) }
    /// Standard output, which the audit may share.
    let output = LogSink(label: "presign.log.requests") { Self.write($0, to: .standardOutput) }
    let logger: Logger
    /// Nil when requests are not logged.
    let requests: LogSink?

    init(_ configuration: LogConfiguration) {
        logger = JSONLinesLogHandler.logger(level: configuration.level, sink: diagnostics)
        requests = configuration.requests ? output : nil
    }

    /// Writes what waits, then returns; for the end of the process.
    func flush() {
        diagnostics.flush()
        output.flush()
    }

    /// A log that cannot be written is no reason to stop serving, and there is nowhere left to say so.
    private static func write(_ bytes: [UInt8], to writer: DescriptorWriter) {
        try? writer.write(bytes)
    }
}
