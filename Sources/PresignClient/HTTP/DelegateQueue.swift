#if canImport(FoundationNetworking)
    import Foundation

    /// The queue of a session's delegate on Linux. FoundationNetworking does not wait for the delegate: what the disk has
    /// not taken of a download would be in memory. This queue lets it wait.
    ///
    /// Unchecked, but safe: each access to `waiting` holds the lock of `condition`.
    final class DelegateQueue: OperationQueue, @unchecked Sendable {
        /// The maximum number of events that wait: pieces of at most 16 KiB.
        private static let maxWaiting = 256

        private let condition = NSCondition()
        private var waiting = 0

        override init() {
            super.init()
            maxConcurrentOperationCount = 1
        }

        override func addOperation(_ operation: Operation) {
            condition.lock()
            // The delegate itself must not wait for its own queue.
            while waiting >= Self.maxWaiting, OperationQueue.current !== self { condition.wait() }
            waiting += 1
            condition.unlock()
            operation.completionBlock = { [self] in
                condition.lock()
                waiting -= 1
                condition.signal()
                condition.unlock()
            }
            super.addOperation(operation)
        }
    }
#endif
