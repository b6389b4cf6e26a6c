import HTTP1
import System

/// What the connections of a loop share while it runs: the handler, the clock's reading, and the buffers that make it
/// unnecessary for an idle connection to own any memory.
package struct LoopContext {
    var handler: any HTTPHandler
    let limits: HTTPLimits
    let deadlines: Deadlines
    let mailbox: Mailbox
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
    /// Lent to the handler for each request, and used again unless the handler kept it.
    var deferral: HTTPDeferral
    /// What the last handler to defer a request wants kept of it.
    var waiting: WaitingRequest?

    init(
        handler: any HTTPHandler, limits: HTTPLimits, timeouts: HTTPTimeouts, mailbox: Mailbox, buffers: BufferBudget,
        now: MonotonicTime
    ) {
        self.handler = handler
        self.limits = limits
        deadlines = Deadlines(timeouts)
        self.mailbox = mailbox
        self.buffers = buffers
        self.now = now
        load = LoadShedder(limit: limits.inFlight, delay: limits.queueDelay)
        deferral = HTTPDeferral(mailbox: mailbox, buffers: buffers)
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
    var patienceForRequests: TimeSpan { isDraining ? deadlines.drainGrace : deadlines.idle }

    /// Asks the receiver of its content, else the handler, for the answer to a request; nil if it will come through the
    /// mailbox.
    mutating func answer(
        _ request: borrowing HTTPRequest, ticket: UInt64, receiver: (any HTTPBodyReceiver)?
    ) -> HTTPResponse? {
        deferral.arm(ticket)
        let response =
            if let receiver {
                receiver.finish(deferral: deferral)
            } else {
                handler.respond(to: request, deferral: deferral)
            }
        if response == nil { waiting = deferral.takeWaiting() }
        if isKnownUniquelyReferenced(&deferral) {
            // Nobody can complete it any more; it either was completed just now, or dropped.
            guard response == nil, deferral.disarm() else { return response }
            return waiting.take()?.respond(.abandoned)
                ?? handler.response(to: .abandoned, of: HTTPFailedRequest(copy request))
        }
        if response != nil { _ = deferral.disarm() }
        deferral = HTTPDeferral(mailbox: mailbox, buffers: buffers)
        return response
    }

    /// Whether a complete request is served; otherwise it gets 503.
    mutating func admits(_ request: borrowing HTTPRequest) -> Bool {
        if load.admits(at: clock()) || handler.mustAnswer(request) { return true }
        load.refuse()
        return false
    }

    /// The response to a request that the server refuses.
    mutating func response(to failure: HTTPFailure, of request: HTTPFailedRequest) -> HTTPResponse {
        guard failure == .buffersFull else { return handler.response(to: failure, of: request) }
        load.refuse()
        return refusal(failure, of: request.head)
    }

    /// The answer when there is too much to do. A request that another's answer would not fit gets one of its own: a page
    /// of another origin could not read it, and a client knows its answer by the id that it gave.
    mutating func refusal(_ failure: HTTPFailure, of request: HTTPRequest? = nil) -> HTTPResponse {
        // In any case: once a second it has the handler tell of all that are refused.
        let shared = refusals.response(to: failure, from: &handler, at: now)
        guard let request, request.headers.contains(.origin) || request.headers.contains(.requestID) else {
            return shared
        }
        return handler.response(to: failure, of: HTTPFailedRequest(toldOf: request))
    }
}
