package import System
package import Telemetry

/// Writes the lines of decisions that are not answered one by one: the items of a batch, or that it is none.
struct Auditor: Sendable {
    private let stream: AuditStream
    private let lane: LogLane
    private var time = TimeText()

    /// Nil when the audit is off.
    init?(_ stream: AuditStream?, _ lane: LogLane?) {
        guard let stream, let lane else { return nil }
        self.stream = stream
        self.lane = lane
    }

    /// - Parameter problem: why there is no URL; nil when there is one.
    mutating func append(_ record: borrowing RequestRecord, _ problem: Problem?) {
        var record = record.detached()
        record.reason = problem.map { record.reason ?? $0.code.text }
        if let problem { record.audit?.note(problem) }
        time.update(to: .now())
        stream.append(record, status: problem?.status ?? 200, at: time.characters.span, ended: .now(), to: lane)
    }
}

extension AuditStream {
    /// Writes the line of a decision; nothing for a request that is none.
    ///
    /// - Parameters:
    ///   - status: what it was answered with.
    ///   - time: now, in the form of RFC 3339.
    ///   - ended: now.
    ///   - lane: one of this stream.
    package func append(
        _ record: borrowing RequestRecord, status: Int, at time: Span<UInt8>, ended: MonotonicTime, to lane: LogLane
    ) {
        guard let facts = record.audit else { return }
        append(to: lane) { lines in
            AuditLine(configuration: configuration)
                .append(record, facts, status: status, at: time, ended: ended, to: &lines)
        }
    }
}
