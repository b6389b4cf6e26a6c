import Dispatch
import Synchronization

/// Collects diagnostic messages.
final class Messages: Sendable {
    private let lines = Mutex("")
    private let arrived = DispatchSemaphore(value: 0)

    /// The messages so far, one per line.
    var text: String { lines.withLock { $0 } }

    func append(_ message: String) {
        lines.withLock { $0 += message + "\n" }
        arrived.signal()
    }

    /// Waits for a message with this part; false if none arrives within 20 seconds.
    func awaitMessage(_ part: String) -> Bool {
        while !text.contains(part) {
            guard arrived.wait(timeout: .now() + .seconds(20)) == .success else { return false }
        }
        return true
    }
}
