import AccessRules
import Dispatch
import HTTP1
import RateLimiting
import Synchronization
import System

/// The batches to decide, on one thread, so that they never take more than one core from the event loops.
///
/// Callers take turns. A turn lasts about a millisecond, so a small batch waits for one turn of each other caller and
/// never for a whole large batch.
final class BatchQueue: Sendable {
    /// A batch, and what to do with its response.
    private struct Entry: Sendable {
        var job: BatchJob
        let completion: @Sendable (HTTPResponse) -> Void
    }

    /// Runs one block per turn.
    let queue = DispatchQueue(label: "presign.batches")
    private let waiting = Mutex(TurnQueue<LimitKey, Entry>())

    /// Decides a batch when its turn comes.
    ///
    /// - Parameter completion: called once, on any thread; never if the request is abandoned first.
    func add(_ job: BatchJob, completion: @escaping @Sendable (HTTPResponse) -> Void) {
        let key = LimitKey(job.caller, from: job.record.client)
        waiting.withLock { $0.append(Entry(job: job, completion: completion), of: key) }
        queue.async { self.takeTurn() }
    }

    /// Whether all batches are decided.
    var isEmpty: Bool { waiting.withLock { $0.isEmpty } }

    private func takeTurn() {
        guard case (let key, var entry)? = waiting.withLock({ $0.next() }) else { return }
        if entry.job.run(until: .now() + Self.turn, entry.completion) { return }
        waiting.withLock { $0.putBack(entry, of: key) }
        queue.async { self.takeTurn() }
    }

    private static let turn = TimeSpan(.milliseconds(1))
}
