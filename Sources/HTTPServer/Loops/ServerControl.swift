import HTTP1
private import Synchronization
import System

/// What the loops of a server share: the wish to stop, the count of connections, and the listening sockets, which the
/// last loop to stop accepting closes.
package final class ServerControl: Sendable {
    private let stopping = Atomic(false)
    private let connections = Atomic(0)
    private let refused = Atomic(0)
    private let accepted = Atomic(0)
    private let accepting: Atomic<Int>
    private let firstFailure = Mutex<SystemError?>(nil)
    private let listeners: [Listener]
    let completionQueues: [CompletionQueue]

    /// One completions for each loop.
    init(listeners: [Listener], completionQueues: [CompletionQueue]) {
        self.listeners = listeners
        self.completionQueues = completionQueues
        accepting = Atomic(completionQueues.count)
    }

    var isStopping: Bool { stopping.load(ordering: .acquiring) }

    func stop() {
        stopping.store(true, ordering: .releasing)
        for completions in completionQueues { completions.wake() }
    }

    /// Counts a connection in, unless there are `limit` already.
    func connectionOpened(limit: Int) -> Bool {
        if connections.add(1, ordering: .relaxed).newValue <= limit {
            accepted.add(1, ordering: .relaxed)
            return true
        }
        connections.subtract(1, ordering: .relaxed)
        return false
    }

    /// Counts requests or connections that got 503.
    func requestsRefused(_ count: Int) { refused.add(count, ordering: .relaxed) }

    /// What `requestsRefused` has counted.
    var refusals: Int { refused.load(ordering: .relaxed) }

    /// The connections that were counted in so far.
    var acceptedConnections: Int { accepted.load(ordering: .relaxed) }

    /// The connections that are open.
    var openConnections: Int { connections.load(ordering: .relaxed) }

    func connectionClosed() { connections.subtract(1, ordering: .relaxed) }

    /// A shared socket must stay open until no loop watches it: its number could name another file by then.
    func loopReleasedListeners() {
        if accepting.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
            for listener in listeners { listener.close() }
        }
    }

    /// A server with a loop missing would leave some of its clients without an answer: the others stop too.
    func loopFailed(_ error: SystemError) {
        firstFailure.withLock { $0 = $0 ?? error }
        stop()
    }

    /// Why the first loop that failed did.
    var failure: SystemError? { firstFailure.withLock { $0 } }
}
