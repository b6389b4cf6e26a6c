import Dispatch
import Presigning
import Synchronization
package import System
import Text

/// The audit: one JSON line for each decision, on a stream of its own. To append never waits; what does not fit into the
/// bounded buffers is dropped whole, counted, and told of in the stream itself and in the diagnostics.
package final class AuditStream: Sendable {
    package let configuration: AuditConfiguration
    private let sink: LogSink
    private let output: AuditOutput?
    private let lanes = Mutex<[LogBuffer]>([])
    private let report: @Sendable (String) -> Void

    /// Opens the stream.
    ///
    /// - Parameters:
    ///   - standardOutput: the sink of standard output, which the audit shares if it goes there: two would tear each
    ///     other's lines.
    ///   - capacity: the most bytes that may wait for each event loop.
    ///   - report: takes what a person should know, one line without a line feed.
    /// - Returns: nil when the audit is off.
    /// - Throws: when the file cannot be opened.
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

    /// A lane for one event loop.
    package func makeLane() -> LogBuffer {
        let report = report
        let lane = sink.makeLane(isGuest: true, note: Self.note) { count in
            report("\(count) lines of the audit were dropped: what takes them is too slow")
        }
        lanes.withLock { $0.append(lane) }
        return lane
    }

    /// The lines since the start.
    package var lines: LineCount { lanes.withLock { $0 }.reduce(into: LineCount()) { $0 += $1.lines } }

    /// Takes one line into a lane of this stream; returns at once.
    ///
    /// - Parameter write: appends the line, with its line feed, to others.
    package func append(to lane: LogBuffer, _ write: (inout [UInt8]) -> Void) {
        sink.append(to: lane, write)
    }

    /// Opens the file or the socket again, as after the file was renamed; returns at once.
    package func reopen() {
        guard let output else { return }
        output.reopen()
        sink.perform { output.reopenIfAsked() }
    }

    /// Writes what waits, then closes; for the end of the process.
    ///
    /// - Parameter limit: the longest to wait, in seconds.
    package func close(within limit: Int = 2) {
        sink.flush(within: limit)
        output?.close()
    }

    /// Writes what waits, then returns.
    package func flush() { sink.flush() }

    private static func note(ofDropped count: Int) -> [UInt8] {
        var line = Array(#"{"time":""#.utf8)
        line.append(contentsOf: SigningTime.now().rfc3339Text.utf8)
        line.append(#"","event":"audit_lines_dropped","count":"#)
        line.append(decimal: count)
        line.append("}\n")
        return line
    }
}
