import Dispatch
import ObjectExistence
import PresignService
import Synchronization
import System

/// Responds to HEAD requests from a script, in order; after its end, every object exists.
final class ScriptedStorage: Sendable {
    private let script: [ExistenceOutcome]
    private let asked = Mutex<[(url: String, caller: LimitKey)]>([])
    private let requestArrived = DispatchSemaphore(value: 0)
    /// The completions that wait for `release`; nil if none has to wait.
    private let held: Mutex<[@Sendable () -> Void]?>

    /// - Parameter holds: whether responses wait for `release`.
    init(_ script: [ExistenceOutcome] = [], holds: Bool = false) {
        self.script = script
        held = Mutex(holds ? [] : nil)
    }

    /// The requested URLs.
    var urls: [String] { asked.withLock { $0.map(\.url) } }
    /// The callers who asked for them.
    var callers: [LimitKey] { asked.withLock { $0.map(\.caller) } }

    func head(_ url: String, _ caller: LimitKey, _ completion: @escaping @Sendable (ExistenceOutcome) -> Void) {
        let index = asked.withLock { asked in
            asked.append((url, caller))
            return asked.count - 1
        }
        let outcome = index < script.count ? script[index] : .status(200)
        let waits = held.withLock { held in
            held?.append { completion(outcome) }
            return held != nil
        }
        if !waits { completion(outcome) }
        requestArrived.signal()
    }

    /// Returns after a request.
    func awaitRequest() { requestArrived.wait() }

    /// Drops the pending requests without a response.
    func drop() { held.withLock { $0 = [] } }

    /// Responds to the pending requests, and to later ones at once.
    func release() {
        let completions = held.withLock { held in
            defer { held = nil }
            return held ?? []
        }
        for complete in completions { complete() }
    }
}
