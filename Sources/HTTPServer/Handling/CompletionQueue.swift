private import CPlatform
package import HTTP1
private import Synchronization
package import System

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
    /// Becomes readable when the loop should call `collect`.
    package let wakeDescriptor: Int32

    package init() throws(SystemError) {
        wakeDescriptor = try SystemError.check(presign_wake_create())
    }

    // Closed with the last reference, because until then any thread may wake the loop.
    deinit { _ = presign_socket_close(wakeDescriptor) }

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
    func wake() { presign_wake(wakeDescriptor) }

    /// Whether the loop has called `collect` since the last call, or has ended. Wakes the loop for the next call.
    func isLoopResponsive() -> Bool {
        let hasCollected = hasCollected.exchange(false, ordering: .relaxed)
        wake()
        return hasCollected || state.withLock { $0.isClosed }
    }

    /// Removes and returns all completions.
    package func collect() -> [Completion] {
        presign_wake_clear(wakeDescriptor)
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
