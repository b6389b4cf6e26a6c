import Dispatch

@testable import PresignService

/// The queue of batches runs only when the simulation lets it.
extension Service {
    func suspendBatches() { batches.queue.suspend() }

    func resumeBatches() { batches.queue.resume() }

    /// Decides all batches that wait.
    func runBatches() {
        guard !batches.isEmpty else { return }
        resumeBatches()
        // Asked on the queue, because no batch waits while a turn has taken the last one, which it may put back.
        while !batches.queue.sync(execute: { batches.isEmpty }) {}
        suspendBatches()
    }
}
