import Dispatch
import Requests
import Synchronization
import System

/// Work that can take several turns of the batch queue.
protocol BatchWork: Sendable {
    /// Works until the deadline.
    ///
    /// - Returns: false if work is left.
    mutating func run(until deadline: MonotonicTime) -> Bool
}

/// The batches to decide, on one thread, so that they never take more than one core from the event loops.
///
/// Callers take turns. A turn lasts about a millisecond, so a small batch waits for one turn of each other caller and
/// never for a whole large batch.
final class BatchQueue: Sendable {
    /// Runs one block per turn.
    let queue = DispatchQueue(label: "presign.batches")
    private let waiting = Mutex(TurnQueue<LimitKey, any BatchWork>())

    /// Runs the work of a caller when its turns come.
    func add(_ work: some BatchWork, of caller: LimitKey) {
        waiting.withLock { $0.append(work, of: caller) }
        queue.async { self.takeTurn() }
    }

    /// Whether all work is done.
    var isEmpty: Bool { waiting.withLock { $0.isEmpty } }

    private func takeTurn() {
        guard case (let key, var work)? = waiting.withLock({ $0.next() }) else { return }
        if work.run(until: .now() + Self.turn) { return }
        waiting.withLock { [work] in $0.putBack(work, of: key) }
        queue.async { self.takeTurn() }
    }

    private static let turn = TimeSpan(.milliseconds(1))
}
