import HTTPServing

/// Writes the lines of decisions that are not answered one by one, the items of a batch.
struct Auditor: Sendable {
    private let stream: AuditStream
    private var buffer: LogLineBuffer

    /// Nil when the audit is off.
    init?(_ stream: AuditStream?, _ buffer: LogLineBuffer) {
        guard let stream else { return nil }
        self.stream = stream
        self.buffer = buffer.another()
    }

    /// - Parameter problem: why there is no URL; nil when there is one.
    mutating func append(_ record: borrowing RequestRecord, _ problem: Problem?) {
        var record = record.detached()
        record.reason = problem.map { record.reason ?? $0.code }
        if let problem { record.audit?.note(problem) }
        stream.append(record, status: problem?.status ?? 200, ended: .now(), with: &buffer)
    }
}

extension AuditStream {
    /// Writes the line of a decision; nothing for a request that is none.
    ///
    /// - Parameters:
    ///   - status: what it was answered with.
    ///   - ended: when.
    ///   - buffer: of the loop, or of the answer that comes later.
    func append(
        _ record: borrowing RequestRecord, status: Int, ended: MonotonicTime, with buffer: inout LogLineBuffer
    ) {
        guard let facts = record.audit, let lane = buffer.auditLane else { return }
        let time = buffer.text(of: ServiceHandler.now())
        buffer.line.removeAll(keepingCapacity: true)
        AuditLine(configuration: configuration)
            .append(record, facts, status: status, at: time, ended: ended, to: &buffer.line)
        append(buffer.line.span, to: lane)
    }
}
