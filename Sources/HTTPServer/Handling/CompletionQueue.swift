private import CPlatform
import HTTP1
private import Synchronization
import System

/// How other threads reach a loop: deferred answers, and a knock that wakes it.
package final class CompletionQueue: Sendable {
    /// A deferred answer; nil for a request that was given up.
    struct Completion: Sendable {
        var ticket: UInt64
        var response: HTTPResponse?
    }

    private struct Content {
        var letters: [Completion] = []
        var isClosed = false
    }

    private let content = Mutex(Content())
    /// The loop has looked since it was last asked to.
    private let hasLooked = Atomic(true)
    /// Becomes readable when there is something to do.
    let wakeDescriptor: Int32

    init() throws(SystemError) {
        wakeDescriptor = try SystemError.check(presign_wake_create())
    }

    /// The descriptor lives as long as any thread may still wake the loop.
    deinit { _ = presign_socket_close(wakeDescriptor) }

    /// Leaves a letter; it is thrown away if the loop has ended.
    func post(_ letter: Completion) {
        let wasEmpty = content.withLock { content in
            guard !content.isClosed else { return false }
            content.letters.append(letter)
            return content.letters.count == 1
        }
        if wasEmpty { wake() }
    }

    /// Wakes the loop.
    func wake() { presign_wake(wakeDescriptor) }

    /// Whether the loop has looked in since this was last asked, or has ended; asks it to look in again.
    func isLoopResponsive() -> Bool {
        let hasLooked = hasLooked.exchange(false, ordering: .relaxed)
        wake()
        return hasLooked || content.withLock { $0.isClosed }
    }

    /// Takes all letters.
    func collect() -> [Completion] {
        presign_wake_clear(wakeDescriptor)
        hasLooked.store(true, ordering: .relaxed)
        return content.withLock { content in
            let letters = content.letters
            content.letters = []
            return letters
        }
    }

    /// After the loop's last look.
    func close() {
        content.withLock { content in
            content.isClosed = true
            content.letters = []
        }
    }
}
