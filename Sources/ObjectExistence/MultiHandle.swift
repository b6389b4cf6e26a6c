import CCurl
import Synchronization

/// libcurl could not be initialized.
struct ObjectExistenceFailure: Error, Sendable, Equatable {
    /// One line: the problem and its likely cause.
    let description: String

    static let initialization = ObjectExistenceFailure(
        description: "libcurl could not be initialized; is memory exhausted?")
}

/// libcurl's multi handle: one thread drives it, any thread may wake it.
@safe final class MultiHandle: Sendable {
    private let isFreed = Mutex(false)
    /// For the driving thread only.
    // unsafe: other threads call only `curl_multi_wakeup`, which libcurl allows from any thread, while they hold the
    // lock that `free` takes.
    nonisolated(unsafe) let pointer: UnsafeMutableRawPointer

    init(_ configuration: ExistenceConfiguration) throws(ObjectExistenceFailure) {
        // This may be called repeatedly, and is thread-safe since libcurl 7.84.
        guard curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK else { throw .initialization }
        guard let pointer = unsafe curl_multi_init() else { throw .initialization }
        // curl_multi_init succeeds even if no descriptor is left for wakeups. The thread could then never be woken.
        guard unsafe curl_multi_wakeup(pointer) == CURLM_OK else {
            _ = unsafe curl_multi_cleanup(pointer)
            throw ObjectExistenceFailure(
                description: "libcurl could not be initialized; is the limit of file descriptors too low?")
        }
        unsafe self.pointer = pointer
        // Keeps an idle connection for each check that may be in flight.
        _ = unsafe presign_multi_set_long(pointer, CURLMOPT_MAXCONNECTS, configuration.maximumInFlight)
    }

    /// Ends the driving thread's wait. Does nothing after `free`.
    func wake() {
        isFreed.withLock { isFreed in
            if !isFreed { _ = unsafe curl_multi_wakeup(pointer) }
        }
    }

    /// Frees the handle. Called by the driving thread when it ends.
    func free() {
        isFreed.withLock { isFreed in
            guard !isFreed else { return }
            isFreed = true
            _ = unsafe curl_multi_cleanup(pointer)
        }
    }
}
