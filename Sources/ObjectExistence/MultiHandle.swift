import CCurl
import Synchronization

/// libcurl could not be loaded or set up.
struct ObjectExistenceFailure: Error, Sendable, Equatable {
    /// What went wrong and the mend, one line.
    let description: String

    static let initialisation = ObjectExistenceFailure(
        description: "libcurl could not be initialised; is memory exhausted?")
}

/// libcurl's multi handle, which one thread drives and any thread may wake. With the first of them libcurl is loaded.
///
/// `@unchecked Sendable`: the pointer is set once and never changes. Off its thread only `curl_multi_wakeup` is called,
/// the one function of a multi handle that libcurl documents as safe from other threads, and never after `free`, since
/// both take the lock.
@safe final class MultiHandle: @unchecked Sendable {
    private let isFreed = Mutex(false)
    /// For the driving thread only.
    let pointer: UnsafeMutableRawPointer

    init(_ configuration: ObjectExistenceConfiguration) throws(ObjectExistenceFailure) {
        try Self.load()
        guard let pointer = unsafe presignMultiInit() else { throw .initialisation }
        // Without descriptors it has none to be woken by, and does not say so: its thread would sleep through every check.
        guard unsafe presignMultiWakeup(pointer) == CURLM_OK else {
            _ = unsafe presignMultiCleanup(pointer)
            throw ObjectExistenceFailure(
                description: "libcurl could not be initialised; is the limit of file descriptors too low?")
        }
        unsafe self.pointer = pointer
        // Idle connections are kept, one for each check that may be on the wire.
        _ = unsafe presignMultiSetLong(pointer, CURLMOPT_MAXCONNECTS, configuration.maximumInFlight)
    }

    /// Ends a wait of the driving thread; of no effect after `free`.
    func wake() {
        isFreed.withLock { isFreed in
            if !isFreed { _ = unsafe presignMultiWakeup(pointer) }
        }
    }

    /// The driving thread's last act.
    func free() {
        isFreed.withLock { isFreed in
            guard !isFreed else { return }
            isFreed = true
            _ = unsafe presignMultiCleanup(pointer)
        }
    }

    private static let isLoaded = Mutex(false)

    /// Loads libcurl before anything else of it is called, and by one thread at a time. What it lacks may be there later,
    /// such as a descriptor: only success is for good.
    private static func load() throws(ObjectExistenceFailure) {
        try isLoaded.withLock { isLoaded throws(ObjectExistenceFailure) in
            guard !isLoaded else { return }
            // The loader's text is copied at once: its next call may overwrite it.
            if let reason = unsafe presignCurlLoad() {
                throw ObjectExistenceFailure(
                    description: "libcurl could not be loaded: \(unsafe String(cString: reason));"
                        + " install it (libcurl4)")
            }
            guard presignCurlGlobalInit(Int(CURL_GLOBAL_ALL)) == CURLE_OK else { throw .initialisation }
            isLoaded = true
        }
    }
}
