import CCurl
import Synchronization

/// libcurl's multi handle, which one thread drives and any thread may wake.
///
/// `@unchecked Sendable`: the pointer is set once and never changes. Off its thread only `curl_multi_wakeup` is called,
/// the one function of a multi handle that libcurl documents as safe from other threads, and never after `free`, since
/// both take the lock.
@safe final class MultiHandle: @unchecked Sendable {
    private let isFreed = Mutex(false)
    /// For the driving thread only.
    let pointer: UnsafeMutableRawPointer

    init(_ configuration: ObjectExistenceConfiguration) throws(ObjectExistenceFailure) {
        guard Self.isGloballyReady, let pointer = unsafe curl_multi_init() else {
            throw ObjectExistenceFailure(description: "libcurl could not be initialised; is memory exhausted?")
        }
        unsafe self.pointer = pointer
        // Idle connections are kept, one for each check that may be on the wire.
        _ = unsafe presignMultiSetLong(pointer, CURLMOPT_MAXCONNECTS, configuration.maximumInFlight)
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

    /// `curl_global_init` must run once, before anything else; a static's first use is exactly that.
    private static let isGloballyReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK
}
