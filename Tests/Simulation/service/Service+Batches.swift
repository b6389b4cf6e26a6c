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
        repeat { batches.queue.sync {} } while !batches.isEmpty
        suspendBatches()
    }
}
