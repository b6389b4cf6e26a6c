import Dispatch
import Synchronization

/// Runs slow work on a bounded number of threads, with a bounded number of waiting items.
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
    ///   - width: the maximum number of items that run at once, each on its own thread.
    ///   - limit: the maximum number of items that run or wait.
    init(width: Int, limit: Int) {
        self.width = width
        self.limit = limit
    }

    /// The number of items that run and that wait.
    var load: (running: Int, waiting: Int) { state.withLock { ($0.running, $0.waiting.count) } }

    /// Adds an item without blocking. Returns false if the queue is full.
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

    /// Runs an item, then starts the next one in a new block, because the finished block must free what it captured.
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
