import HTTP1
import HTTPServer
import Synchronization

/// The response to a request that waits for another thread. It ends once, by its response or because the server gave the
/// request up: so the request has one line in the log, and counts once.
final class DeferredResponse: Sendable {
    /// For the memory held until the request has its response. Only the thread that decides the request resizes it.
    let charge: BufferCharge?
    private let record: RequestRecord
    private let origin: [UInt8]?
    private let endpoint: Endpoint
    private let stage = Atomic(Stage.waiting)

    private enum Stage: UInt8, AtomicRepresentable {
        case waiting
        /// Whoever decides the request writes its lines of the audit.
        case begun
        case ended
    }

    /// Called on the loop.
    ///
    /// - Parameters:
    ///   - record: what is known so far.
    ///   - origin: the request's, for CORS.
    ///   - endpoint: of the loop.
    init(_ record: RequestRecord, origin: [UInt8]?, _ endpoint: Endpoint, charge: BufferCharge? = nil) {
        self.record = record
        self.origin = origin
        self.endpoint = endpoint
        self.charge = charge
        if isCounted { endpoint.shard.noteWaiting(1) }
    }

    private var isCounted: Bool { record.route != .metrics }

    /// Whether the request is still to be decided, which then begins, on any thread. From here on the caller writes its
    /// lines of the audit, also if the request is given up meanwhile.
    func begin() -> Bool {
        stage.compareExchange(expected: .waiting, desired: .begun, ordering: .acquiringAndReleasing).exchanged
    }

    /// The finished response, on any thread; nil if the request was given up before.
    ///
    /// - Parameter update: adds what was found since the response was deferred.
    func complete(
        with response: HTTPResponse, _ update: (inout RequestRecord) -> Void = { _ in }
    ) -> HTTPResponse? {
        guard var record = end() else { return nil }
        update(&record)
        return endpoint.finish(response, record, for: origin)
    }

    /// The finished refusal, on any thread; nil if the request has ended before.
    func complete(with refusal: Refusal) -> HTTPResponse? {
        complete(with: refusal.problem.response(requestID: record.requestID)) { $0.add(refusal) }
    }

    /// What is known of the request, which ends now; nil if it has ended before.
    private func end() -> RequestRecord? {
        let reached = stage.exchange(.ended, ordering: .acquiringAndReleasing)
        guard reached != .ended else { return nil }
        if isCounted { endpoint.shard.noteWaiting(-1) }
        var record = record
        if reached == .begun { record.audit = nil }
        return record
    }
}
