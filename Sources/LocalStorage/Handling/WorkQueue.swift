import Dispatch
import Synchronization

/// Work that may take long: so much of it is done at once, so much may wait, and what comes beyond is refused.
final class WorkQueue: Sendable {
    private struct State {
        var running = 0
        var waiting: [@Sendable () -> Void] = []
    }

    let queue = DispatchQueue(label: "local-storage", attributes: .concurrent)
    private let width: Int
    private let limit: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - width: how much is done at once; each takes a thread.
    ///   - limit: how much may be running or waiting.
    init(width: Int, limit: Int) {
        self.width = width
        self.limit = limit
    }

    /// How much is running, and how much waits.
    var load: (running: Int, waiting: Int) { state.withLock { ($0.running, $0.waiting.count) } }

    /// Takes work over, never waiting; false when there is too much of it already.
    func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
        let starts: Bool? = state.withLock { state in
            guard state.running + state.waiting.count < limit else { return nil }
            guard state.running < width else {
                state.waiting.append(work)
                return false
            }
            state.running += 1
            return true
        }
        guard let starts else { return false }
        if starts { start(work) }
        return true
    }

    /// Each in a block of its own, so that what it holds goes with it.
    private func start(_ work: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            work()
            let next: (@Sendable () -> Void)? = state.withLock { state in
                guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
                state.running -= 1
                return nil
            }
            if let next { start(next) }
        }
    }
}
