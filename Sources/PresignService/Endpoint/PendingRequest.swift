import HTTPServing
import Synchronization

/// A request whose answer is still to come. It ends once, by its answer or because the server has given it up: so it has
/// one line in the log, and counts once.
final class PendingRequest: Sendable {
    private let record: RequestRecord
    private let origin: ArraySlice<UInt8>?
    private let handler: ServiceHandler
    private let hasEnded = Atomic(false)

    /// - Parameters:
    ///   - origin: the request's.
    ///   - handler: of the loop, on which this is called.
    init(_ record: borrowing RequestRecord, from origin: ArraySlice<UInt8>?, _ handler: ServiceHandler) {
        self.record = record.detached()
        // Slices share the loop's read buffer, which must not be held beyond this call.
        self.origin = origin.map { ArraySlice(Array($0)) }
        self.handler = handler
        if isCounted { handler.shard.noteWaiting(1) }
    }

    var requestID: RequestID { record.requestID }

    private var isCounted: Bool { record.route != .metrics }

    /// The answer, made on any thread; nil if the request was given up before.
    func finish(_ late: consuming LateAnswer) -> HTTPResponse? {
        guard end() else { return nil }
        var record = record.detached()
        record.note(late)
        var time = TimeText(of: ServiceHandler.now())
        return handler.finish(late.response, &record, for: origin, at: &time, isLate: true)
    }

    /// The refusal by the server, made on the loop; nil if the answer was made before.
    func refuse(_ failure: HTTPFailure) -> HTTPResponse? {
        guard end() else { return nil }
        let problem = Problem(failure)
        var record = record.detached()
        record.reason = failure.reason
        record.audit?.note(problem)
        // The items of a batch are told of one by one, whatever becomes of its answer.
        if record.route == .batch { record.audit = nil }
        handler.shard.noteRefusal(problem.code)
        var time = TimeText(of: ServiceHandler.now())
        return handler.finish(problem.response(requestID: record.requestID), &record, for: origin, at: &time)
    }

    /// Whether the request ends now, and has not before.
    private func end() -> Bool {
        guard !hasEnded.exchange(true, ordering: .acquiringAndReleasing) else { return false }
        if isCounted { handler.service.metrics.count { $0.noteWaiting(-1) } }
        return true
    }
}
