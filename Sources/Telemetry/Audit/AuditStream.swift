import Dispatch
import Presigning
import Synchronization
package import System
package import Text

/// The audit log: one JSON line for each access decision.
///
/// Appending never blocks. If a buffer is full, whole lines are dropped and counted. The audit log and the diagnostics
/// report the count.
package final class AuditStream: Sendable {
    package let configuration: AuditConfiguration
    private let sink: LogSink
    private let output: AuditOutput?
    private let buffers = Mutex<[LogBuffer]>([])
    private let report: @Sendable (String) -> Void

    /// Opens the stream.
    ///
    /// - Parameters:
    ///   - standardOutput: the sink of standard output. The audit log shares it if its destination is standard output,
    ///     because two sinks would mix their lines.
    ///   - capacity: the maximum number of buffered bytes per event loop.
    ///   - report: receives a diagnostic message, one line without a line feed.
    /// - Returns: nil if the audit log is off.
    /// - Throws: `SystemError` if the file cannot be opened.
    package static func open(
        _ configuration: AuditConfiguration, standardOutput: LogSink, capacity: Int = 4 << 20,
        report: @escaping @Sendable (String) -> Void
    ) throws(SystemError) -> AuditStream? {
        switch configuration.destination {
        case .off: return nil
        case .standardOutput: return AuditStream(configuration, standardOutput, nil, report)
        case .file, .socket:
            let output = AuditOutput(configuration.destination, report: report)
            try output.open()
            let sink = LogSink(label: "presign.audit", capacity: capacity) {
                output.write($0)
                return 0
            }
            return AuditStream(configuration, sink, output, report)
        }
    }

    private init(
        _ configuration: AuditConfiguration, _ sink: LogSink, _ output: AuditOutput?,
        _ report: @escaping @Sendable (String) -> Void
    ) {
        self.configuration = configuration
        self.sink = sink
        self.output = output
        self.report = report
    }

    /// Creates a buffer for one event loop.
    package func makeBuffer() -> LogBuffer {
        let report = report
        let buffer = sink.makeBuffer(isCountedSeparately: true, note: Self.note) { count in
            report("\(count) audit lines were dropped because the audit destination is too slow")
        }
        buffers.withLock { $0.append(buffer) }
        return buffer
    }

    /// The number of lines since the process started.
    package var lines: LineCount { buffers.withLock { $0 }.reduce(into: LineCount()) { $0 += $1.lines } }

    /// Appends a line to a buffer of this stream. Never blocks on the writer.
    ///
    /// - Parameter write: appends the line with its line feed, given the current time in RFC 3339.
    package func append(to buffer: LogBuffer, _ write: (_ time: Span<UInt8>, _ lines: inout ByteBuffer) -> Void) {
        sink.append(to: buffer, write)
    }

    /// Reopens the file or the socket, for example after the file was renamed. Does not wait for it.
    package func reopen() {
        guard let output else { return }
        output.reopen()
        sink.perform { output.reopenIfRequested() }
    }

    /// Writes all buffered lines and closes the destination, for the end of the process.
    ///
    /// - Parameter limit: the maximum wait in seconds.
    package func close(within limit: Int = 2) {
        sink.flush(within: limit)
        output?.close()
    }

    /// Writes all buffered lines and waits.
    package func flush() { sink.flush() }

    private static func note(ofDropped count: Int) -> [UInt8] {
        var line = ByteBuffer()
        line.append(#"{"time":""#)
        SigningTime.now().appendRFC3339(to: &line)
        line.append(#"","event":"audit_lines_dropped","count":"#)
        line.append(decimal: count)
        line.append("}\n")
        return line.bytes
    }
}
