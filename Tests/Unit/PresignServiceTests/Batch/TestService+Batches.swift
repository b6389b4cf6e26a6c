import Dispatch

@testable import PresignService
@testable import PresignServiceTestSupport

extension TestService {
    /// Makes batches wait.
    func holdBatches() { service.batches.queue.suspend() }

    func releaseBatches() { service.batches.queue.resume() }

    /// Returns when all batches so far are decided and have released their memory.
    func awaitBatches() {
        repeat { service.batches.queue.sync {} } while !service.batches.isEmpty
    }
}
