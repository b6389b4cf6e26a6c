import Dispatch
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

/// Runs file operations outside the threads of Swift concurrency, which must not block.
func offloaded<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global(qos: .utility).async {
            continuation.resume(with: Result { try body() })
        }
    }
}

/// Runs the body, and on Apple systems releases the objects that Foundation has autoreleased in it.
func releasing<Value>(_ body: () throws -> Value) rethrows -> Value {
    #if canImport(ObjectiveC)
        try autoreleasepool(invoking: body)
    #else
        try body()
    #endif
}
