import ObjectExistence
import PresignService
import Synchronization

/// The existence checks that wait for the storage's response.
final class HeldChecks: Sendable {
    typealias Completion = @Sendable (ExistenceOutcome) -> Void

    private let held = Mutex<[Completion]>([])

    var count: Int { held.withLock { $0.count } }

    func add(_ completion: @escaping Completion) { held.withLock { $0.append(completion) } }

    /// Removes a check: the storage responds to it, or never will.
    func take(_ index: Int) -> Completion { held.withLock { $0.remove(at: index) } }
}
