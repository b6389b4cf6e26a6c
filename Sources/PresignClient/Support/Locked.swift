import Foundation

/// A value behind a lock. `Synchronization.Mutex` needs macOS 15 and iOS 18.
///
/// Unchecked, but safe: `value` is private, and each access holds the lock.
final class Locked<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    /// Runs the body with the value. The body must not suspend or call code of the app.
    func with<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
