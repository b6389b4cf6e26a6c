package import HTTP1
private import Synchronization
package import System

/// The right to respond once to a request, later and from any thread. Releasing it uncompleted responds with 500.
package final class HTTPDeferral: Sendable {
    private let completions: CompletionQueue
    private let buffers: BufferBudget
    /// The ticket of the waiting connection; 0 once the deferral is completed or cancelled.
    private let ticket: Atomic<UInt64>

    fileprivate init(ticket: UInt64, completions: CompletionQueue, buffers: BufferBudget) {
        self.ticket = Atomic(ticket)
        self.completions = completions
        self.buffers = buffers
    }

    deinit { post(nil) }

    /// Responds to the request. Later calls have no effect, nor has any call after the responder returned a response.
    package func complete(with response: HTTPResponse) { post(response) }

    /// Charges memory that the request needs until it has its response. Returns nil if that exceeds
    /// `HTTPLimits.bufferedBytes`; respond as to `HTTPFailure.buffersFull` then.
    package func charge(_ bytes: Int) -> BufferCharge? { buffers.charge(bytes, for: .response) }

    /// Makes later completions have no effect.
    fileprivate func cancel() { ticket.store(0, ordering: .releasing) }

    private func post(_ response: HTTPResponse?) {
        let waiting = ticket.exchange(0, ordering: .acquiringAndReleasing)
        if waiting != 0 { completions.post(CompletionQueue.Completion(ticket: waiting, response: response)) }
    }
}

/// Creates the deferrals of one event loop: at most one for each request that is responded to later.
package final class HTTPDeferralSource {
    private let completions: CompletionQueue
    private let buffers: BufferBudget
    /// The ticket of the connection whose request is being responded to.
    private var ticket: UInt64 = 0
    private var current: HTTPDeferral?

    package init(completions: CompletionQueue, buffers: BufferBudget) {
        self.completions = completions
        self.buffers = buffers
    }

    /// Returns the deferral of the current request.
    package func makeDeferral() -> HTTPDeferral {
        if let current { return current }
        let deferral = HTTPDeferral(ticket: ticket, completions: completions, buffers: buffers)
        current = deferral
        return deferral
    }

    /// Returns what `body` returns for a request of the connection. A response makes the request's deferral, if any,
    /// have no effect; neither a response nor a deferral responds with 500.
    func response(ticket: UInt64, _ body: (HTTPDeferralSource) -> HTTPResponse?) -> HTTPResponse? {
        self.ticket = ticket
        let response = body(self)
        if response == nil { _ = makeDeferral() } else { current?.cancel() }
        current = nil
        return response
    }
}

/// Passes deferred responses from other threads to an event loop, and wakes it.
package final class CompletionQueue: Sendable {
    /// The outcome of a deferred request.
    package struct Completion: Sendable {
        package var ticket: UInt64
        /// Nil if the request was abandoned.
        package var response: HTTPResponse?
    }

    private struct State {
        var completions: [Completion] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    /// Whether the loop has called `collect` since the last `isLoopResponsive`.
    private let hasCollected = Atomic(true)
    // Closed with the last reference, because until then any thread may wake the loop.
    private let waker: Waker

    package init() throws(SystemError) {
        waker = try Waker()
    }

    /// Becomes readable when the loop should call `collect`.
    package var wakeDescriptor: Int32 { waker.descriptor }

    /// Adds a completion and wakes the loop; discards the completion if the loop has ended.
    func post(_ completion: Completion) {
        let wasEmpty = state.withLock { state in
            guard !state.isClosed else { return false }
            state.completions.append(completion)
            return state.completions.count == 1
        }
        if wasEmpty { wake() }
    }

    /// Wakes the loop.
    func wake() { waker.wake() }

    /// Whether the loop has called `collect` since the last call, or has ended. Wakes the loop for the next call.
    func isLoopResponsive() -> Bool {
        let hasCollected = hasCollected.exchange(false, ordering: .relaxed)
        wake()
        return hasCollected || state.withLock { $0.isClosed }
    }

    /// Removes and returns all completions.
    package func collect() -> [Completion] {
        waker.clear()
        hasCollected.store(true, ordering: .relaxed)
        return state.withLock { state in
            let completions = state.completions
            state.completions = []
            return completions
        }
    }

    /// Discards current and later completions. Called when the loop ends.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.completions = []
        }
    }
}
