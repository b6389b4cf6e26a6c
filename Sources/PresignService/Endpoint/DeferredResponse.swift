import HTTP1
import HTTPServer
import Synchronization

/// The response to a request that another thread completes. It ends once, either with its response or when the server
/// abandons the request, so the request is logged and counted once.
final class DeferredResponse: Sendable {
    /// The memory charged to the request until it ends. Only the thread that decides the request resizes it.
    let charge: BufferCharge?
    private let record: RequestRecord
    private let options: ResponseOptions
    private let endpoint: Endpoint
    private let stage = Atomic(Stage.waiting)

    private enum Stage: UInt8, AtomicRepresentable {
        case waiting
        /// The thread that decides the request writes its audit lines.
        case begun
        case ended
    }

    /// Called on the event loop.
    init(_ record: RequestRecord, _ options: ResponseOptions, _ endpoint: Endpoint, charge: BufferCharge? = nil) {
        self.record = record
        self.options = options
        self.endpoint = endpoint
        self.charge = charge
        if isCounted { endpoint.shard.note { $0.waiting += 1 } }
    }

    private var isCounted: Bool { record.route != .metrics }

    /// Marks the request as being decided, on any thread. Returns false if it has ended. After true the calling thread
    /// writes the audit lines, even if the server abandons the request meanwhile.
    func begin() -> Bool {
        stage.compareExchange(expected: .waiting, desired: .begun, ordering: .acquiringAndReleasing).exchanged
    }

    /// Whether the request has ended, so nothing waits for its response.
    var isEnded: Bool { stage.load(ordering: .acquiring) == .ended }

    /// Returns the finished response, on any thread; nil if the request has ended.
    ///
    /// - Parameter update: adds what was learned after the response was deferred.
    func complete(
        with response: HTTPResponse, _ update: (inout RequestRecord) -> Void = { _ in }
    ) -> HTTPResponse? {
        guard var record = end() else { return nil }
        update(&record)
        return endpoint.finish(&record, with: response, options)
    }

    /// Returns the finished refusal, on any thread; nil if the request has ended.
    func complete(with refusal: Refusal) -> HTTPResponse? {
        let response = refusal.problem.response(requestID: record.requestID, as: options.errorForm)
        return complete(with: response) { $0.add(refusal) }
    }

    /// Ends the request and returns its record; nil if it has already ended.
    private func end() -> RequestRecord? {
        let reached = stage.exchange(.ended, ordering: .acquiringAndReleasing)
        guard reached != .ended else { return nil }
        if isCounted { endpoint.shard.note { $0.waiting -= 1 } }
        var record = record
        if reached == .begun { record.isAudited = false }
        return record
    }
}
