package import HTTP1
package import System

/// The state that all connections of a loop share: the handler, the limits, the current time and the output buffer.
package struct LoopContext {
    var handler: any HTTPHandler
    let limits: HTTPLimits
    let deadlines: Deadlines
    let completions: CompletionQueue
    private let deferrals: HTTPDeferralSource
    /// The budget for memory that connections hold.
    let buffers: BufferBudget
    /// The time at the start of the current iteration.
    package var now: MonotonicTime
    /// Reads the clock for decisions that depend on how long the iteration has taken.
    package var clock: @Sendable () -> MonotonicTime = { .now() }
    /// Reads the wall clock, in seconds since 1970.
    package var wallClock: @Sendable () -> Int64 = { WallClock.seconds() }
    package var date = DateText()
    /// Responses of the current connection that are not sent yet.
    package var output: [UInt8] = []
    /// Whether the server is shutting down; every response then closes its connection.
    var isDraining = false
    var load: LoadShedder
    /// Bytes that clients sent although they had their response, and that are not reported yet.
    var discarded = 0
    private var refusals = CachedRefusals()

    package init(
        handler: any HTTPHandler, limits: HTTPLimits, timeouts: HTTPTimeouts, completions: CompletionQueue,
        buffers: BufferBudget, now: MonotonicTime
    ) {
        self.handler = handler
        self.limits = limits
        deadlines = Deadlines(timeouts)
        self.completions = completions
        deferrals = HTTPDeferralSource(completions: completions, buffers: buffers)
        self.buffers = buffers
        self.now = now
        load = LoadShedder(limit: limits.inFlight, delay: limits.queueDelay)
    }

    /// Whether another response may be added to `output` before the client has read some: only while the connection
    /// could keep the output as unsent.
    var gathersMore: Bool {
        let count = output.count
        guard count < limits.bufferedResponseBytes else { return false }
        return count < HTTPLimits.reservedBytes
            || buffers.hasRoom(for: count + HTTPLimits.reservedBytes, for: .response)
    }

    /// Empties the output, and releases its memory if a response was unusually large.
    mutating func clearOutput() {
        output.removeAll(keepingCapacity: output.capacity <= 4 * limits.bufferedResponseBytes)
    }

    /// How long a connection may stay idle.
    var idleTimeout: TimeSpan { isDraining ? deadlines.drainGrace : deadlines.idle }

    /// Returns the responder's response to a complete request; nil if `completions` will deliver it.
    func response(
        to request: HTTPRequest, ticket: UInt64, from responder: any HTTPResponder
    ) -> HTTPResponse? {
        deferrals.response(ticket: ticket) { responder.respond(to: request, deferrals: $0) }
    }

    /// Whether to serve a complete request; otherwise it gets 503.
    mutating func admits(_ request: HTTPRequest) -> Bool {
        if load.admits(at: clock()) || handler.isExemptFromShedding(request) { return true }
        load.refuse()
        return false
    }

    /// Returns the response to a request that the server refuses; nil if the deferred response is being completed right
    /// now.
    ///
    /// - Parameter responder: the request's responder; nil before its head is complete.
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

    /// Returns the response to a request that is refused for lack of capacity. It is a cached one unless the request
    /// has an `Origin` or `X-Request-Id`, which the response must reflect.
    mutating func refusal(
        _ failure: HTTPFailure, of request: HTTPRequest? = nil, from responder: (any HTTPResponder)? = nil
    ) -> HTTPResponse {
        // Also needed when it is not sent: creating the cached response makes the handler log the refusals once a
        // second.
        let shared = refusals.response(to: failure, from: &handler, at: now)
        guard let request, request.headers.contains(.origin) || request.headers.contains(.requestID) else {
            return shared
        }
        var known = HTTPFailedRequest(request)
        known.isAlreadyReported = true
        return responder?.response(to: failure, of: known) ?? handler.response(to: failure, of: known)
    }
}

/// Responses to requests that the server refuses for lack of capacity. The handler creates each at most once a second,
/// so a flood of refused requests costs little and adds at most one log line a second for each kind of refusal.
struct CachedRefusals {
    private var cached: [HTTPFailure: (response: HTTPResponse, expiry: MonotonicTime)] = [:]

    /// Returns the cached response to `failure`, or asks `handler` for one.
    mutating func response(
        to failure: HTTPFailure, from handler: inout any HTTPHandler, at now: MonotonicTime
    ) -> HTTPResponse {
        if let (response, expiry) = cached[failure], now < expiry { return response }
        let response = handler.response(to: failure, of: .any)
        cached[failure] = (response, now + TimeSpan(.seconds(1)))
        return response
    }
}
