import HTTP1
import System

/// What the connections of a loop share while it runs: the handler, the clock's reading, and the buffers that make it
/// unnecessary for an idle connection to own any memory.
package struct LoopContext {
    var handler: any HTTPHandler
    let limits: HTTPLimits
    let deadlines: Deadlines
    let completions: CompletionQueue
    /// What the memory kept for connections is charged to.
    let buffers: BufferBudget
    /// Read once in each iteration of the loop.
    var now: MonotonicTime
    /// Reads the clock for decisions that depend on how long the iteration takes.
    var clock: @Sendable () -> MonotonicTime = { .now() }
    var date = DateText()
    /// Responses of the connection at hand that are not sent yet.
    var output: [UInt8] = []
    /// Set from `shutdown()` on: every answer closes its connection.
    var isDraining = false
    var load: LoadShedder
    private var refusals = CachedRefusals()

    init(
        handler: any HTTPHandler, limits: HTTPLimits, timeouts: HTTPTimeouts, completions: CompletionQueue,
        buffers: BufferBudget,
        now: MonotonicTime
    ) {
        self.handler = handler
        self.limits = limits
        deadlines = Deadlines(timeouts)
        self.completions = completions
        self.buffers = buffers
        self.now = now
        load = LoadShedder(limit: limits.inFlight, delay: limits.queueDelay)
    }

    /// Whether another response may join those of the connection at hand before the client takes some: no more than
    /// could be kept for it.
    var gathersMore: Bool {
        let count = output.count
        guard count < limits.bufferedAnswerBytes else { return false }
        return count < HTTPLimits.reservedBytes
            || buffers.hasRoom(for: count + HTTPLimits.reservedBytes, for: .response)
    }

    /// Empties the output, and releases its memory if that is far more than responses usually need.
    mutating func clearOutput() {
        output.removeAll(keepingCapacity: output.capacity <= 4 * limits.bufferedAnswerBytes)
    }

    /// How long an idle connection may stay.
    var idleTimeout: TimeSpan { isDraining ? deadlines.drainGrace : deadlines.idle }

    /// Asks the responder for the response to a complete request; nil if it will come through the completions.
    func response(
        to request: HTTPRequest, ticket: UInt64, from responder: any HTTPResponder
    ) -> HTTPResponse? {
        let deferral = HTTPDeferral(ticket: ticket, completions: completions, buffers: buffers)
        let response = responder.respond(to: request, deferral: deferral)
        if response != nil { deferral.cancel() }
        return response
    }

    /// Whether a complete request is served; otherwise it gets 503.
    mutating func admits(_ request: borrowing HTTPRequest) -> Bool {
        if load.admits(at: clock()) || handler.mustAnswer(request) { return true }
        load.refuse()
        return false
    }

    /// The response to a request that the server refuses; nil if the responder's own is just being completed.
    ///
    /// - Parameter responder: the request's; nil before its head is complete.
    mutating func response(
        to failure: HTTPFailure, of request: HTTPFailedRequest, from responder: (any HTTPResponder)?
    ) -> HTTPResponse? {
        if failure == .buffersFull {
            load.refuse()
            return refusal(failure, of: request.head, from: responder)
        }
        guard let responder else { return handler.response(to: failure, of: request) }
        return responder.response(to: failure, of: request)
    }

    /// The response when there is too much to do. A request that another's response would not fit gets its own: a page
    /// of another origin could not read it, and a client knows its response by the id that it gave.
    mutating func refusal(
        _ failure: HTTPFailure, of request: HTTPRequest? = nil, from responder: (any HTTPResponder)? = nil
    ) -> HTTPResponse {
        // In any case: once a second it has the handler tell of all that are refused.
        let shared = refusals.response(to: failure, from: &handler, at: now)
        guard let request, request.headers.contains(.origin) || request.headers.contains(.requestID) else {
            return shared
        }
        let known = HTTPFailedRequest(alreadyReported: request)
        return responder?.response(to: failure, of: known) ?? handler.response(to: failure, of: known)
    }
}
