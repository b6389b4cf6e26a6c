import HTTP1
import HTTPServer
import Synchronization
import Telemetry

/// A request whose answer is still to come. It ends once, by its answer or because the server has given it up: so it has
/// one line in the log, and counts once.
final class PendingRequest: Sendable {
    private let record: RequestRecord
    private let origin: ArraySlice<UInt8>?
    private let handler: ServiceHandler
    /// For the memory held until the request is answered. Only the thread that decides the request resizes it.
    let charge: BufferCharge
    private let stage = Atomic(Stage.waiting)

    private enum Stage: UInt8, AtomicRepresentable {
        case waiting
        /// Whoever decides it tells the audit.
        case begun
        case ended
    }

    /// - Parameters:
    ///   - origin: the request's.
    ///   - handler: of the loop, on which this is called.
    ///   - charge: for what the pending answer holds.
    init(
        _ record: borrowing RequestRecord, from origin: ArraySlice<UInt8>?, _ handler: ServiceHandler,
        charge: BufferCharge
    ) {
        self.record = record.detached()
        // Slices share the loop's read buffer, which must not be held beyond this call.
        self.origin = origin.map { ArraySlice(Array($0)) }
        self.handler = handler
        self.charge = charge
        if isCounted { handler.shard.noteWaiting(1) }
    }

    var requestID: RequestID { record.requestID }

    private var isCounted: Bool { record.route != .metrics }

    /// Whether it still is to be decided, which then begins, on any thread: from here on the audit is told by whoever asked
    /// this, also if the request is given up meanwhile.
    func begin() -> Bool {
        stage.compareExchange(expected: .waiting, desired: .begun, ordering: .acquiringAndReleasing).exchanged
    }

    /// The answer, made on any thread; nil if the request was given up before.
    func finish(_ late: consuming LateAnswer) -> HTTPResponse? {
        guard var record = end() else { return nil }
        record.note(late)
        var time = TimeText(of: .now())
        return handler.finish(late.response, &record, for: origin, at: &time, isLate: true)
    }

    /// The refusal by the server, made on the loop; nil if the answer was made before.
    func refuse(_ failure: HTTPFailure) -> HTTPResponse? {
        guard var record = end() else { return nil }
        let problem = Problem(failure)
        record.reason = failure.reason
        record.audit?.note(problem)
        handler.shard.noteRefusal(problem.code)
        var time = TimeText(of: .now())
        return handler.finish(problem.response(requestID: record.requestID), &record, for: origin, at: &time)
    }

    /// What is left to tell of the request, which ends now; nil if it has before.
    private func end() -> RequestRecord? {
        let reached = stage.exchange(.ended, ordering: .acquiringAndReleasing)
        guard reached != .ended else { return nil }
        if isCounted { handler.service.metrics.count { $0.noteWaiting(-1) } }
        var record = record.detached()
        if reached == .begun { record.audit = nil }
        return record
    }
}
