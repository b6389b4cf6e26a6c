import HTTP1
private import Synchronization
import System

/// The state that the loops of a server share: the stop flag, the counters, and the listening sockets, which the last
/// loop to release them closes.
package final class ServerControl: Sendable {
    private let stopping = Atomic(false)
    private let connections = Atomic(0)
    private let refused = Atomic(0)
    private let discarded = Atomic(0)
    private let accepted = Atomic(0)
    private let accepting: Atomic<Int>
    private let firstFailure = Mutex<SystemError?>(nil)
    private let listeners: Mutex<[Listener]>
    let completionQueues: [CompletionQueue]

    /// - Parameter completionQueues: one for each loop.
    init(listeners: [Listener], completionQueues: [CompletionQueue]) {
        self.listeners = Mutex(listeners)
        self.completionQueues = completionQueues
        accepting = Atomic(completionQueues.count)
    }

    var isStopping: Bool { stopping.load(ordering: .acquiring) }

    func stop() {
        stopping.store(true, ordering: .releasing)
        for completions in completionQueues { completions.wake() }
    }

    /// Counts a new connection and returns true, or returns false if `limit` connections are already open.
    func connectionOpened(limit: Int) -> Bool {
        if connections.add(1, ordering: .relaxed).newValue <= limit {
            accepted.add(1, ordering: .relaxed)
            return true
        }
        connections.subtract(1, ordering: .relaxed)
        return false
    }

    /// Counts requests and connections that got 503.
    func requestsRefused(_ count: Int) { refused.add(count, ordering: .relaxed) }

    /// Counts bytes that clients sent although they had their response.
    func bytesDiscarded(_ count: Int) { if count > 0 { discarded.add(count, ordering: .relaxed) } }

    /// The number of discarded bytes so far.
    var discardedBytes: Int { discarded.load(ordering: .relaxed) }

    /// The number of requests and connections that got 503 so far.
    var refusals: Int { refused.load(ordering: .relaxed) }

    /// The number of connections accepted so far.
    var acceptedConnections: Int { accepted.load(ordering: .relaxed) }

    /// The number of open connections.
    var openConnections: Int { connections.load(ordering: .relaxed) }

    func connectionClosed() { connections.subtract(1, ordering: .relaxed) }

    /// The socket of each listener that a loop accepts from.
    func sockets(ofLoop index: Int) -> [Socket] { listeners.withLock { $0.map { $0.sockets[index] } } }

    /// Releases the listeners, which closes their sockets, once every loop has released its own references.
    func loopReleasedListeners() {
        guard accepting.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
        listeners.withLock { listeners in
            for listener in listeners { listener.removeFile() }
            listeners = []
        }
    }

    /// Stops the whole server, because connections assigned to the failed loop would get no response.
    func loopFailed(_ error: SystemError) {
        firstFailure.withLock { $0 = $0 ?? error }
        stop()
    }

    /// The error of the first loop that failed.
    var failure: SystemError? { firstFailure.withLock { $0 } }
}
