import CCurl
import Synchronization

/// libcurl could not be initialised.
struct ObjectExistenceFailure: Error, Sendable, Equatable {
    /// What is wrong and what to do, in one line.
    let description: String

    static let initialisation = ObjectExistenceFailure(
        description: "libcurl could not be initialised; is memory exhausted?")
}

/// libcurl's multi handle: one thread drives it, any thread may wake it.
///
/// `@unchecked Sendable`: the pointer never changes, and other threads call only `curl_multi_wakeup`, which libcurl allows
/// from any thread, and under the lock that `free` takes.
@safe final class MultiHandle: @unchecked Sendable {
    private let isFreed = Mutex(false)
    /// For the driving thread only.
    let pointer: UnsafeMutableRawPointer

    init(_ configuration: ObjectExistenceConfiguration) throws(ObjectExistenceFailure) {
        // libcurl counts these calls; it is thread-safe since 7.84.
        guard curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK else { throw .initialisation }
        guard let pointer = unsafe curl_multi_init() else { throw .initialisation }
        // Without descriptors it has none to be woken by, and does not say so: its thread would sleep through every check.
        guard unsafe curl_multi_wakeup(pointer) == CURLM_OK else {
            _ = unsafe curl_multi_cleanup(pointer)
            throw ObjectExistenceFailure(
                description: "libcurl could not be initialised; is the limit of file descriptors too low?")
        }
        unsafe self.pointer = pointer
        // Idle connections are kept, one for each check that may be on the wire.
        _ = unsafe presign_multi_set_long(pointer, CURLMOPT_MAXCONNECTS, configuration.maximumInFlight)
    }

    /// Ends a wait of the driving thread; of no effect after `free`.
    func wake() {
        isFreed.withLock { isFreed in
            if !isFreed { _ = unsafe curl_multi_wakeup(pointer) }
        }
    }

    /// The driving thread's last act.
    func free() {
        isFreed.withLock { isFreed in
            guard !isFreed else { return }
            isFreed = true
            _ = unsafe curl_multi_cleanup(pointer)
        }
    }
}
