import Dispatch

@testable import PresignService
@testable import PresignServiceTestSupport

extension TestService {
    /// Makes batches wait.
    func holdBatches() { service.batches.queue.suspend() }

    func releaseBatches() { service.batches.queue.resume() }

    /// Returns when all batches so far are decided and have released their memory.
    func awaitBatches() {
        // Asked on the queue, because no batch waits while a turn has taken the last one, which it may put back.
        while !service.batches.queue.sync(execute: { service.batches.isEmpty }) {}
    }
}
