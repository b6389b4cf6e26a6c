import Dispatch
import Foundation

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
