package import Dispatch
import Glibc

/// SIGTERM, SIGINT, SIGHUP and SIGUSR1, blocked first thing in `main` and received with `sigwait`.
///
/// A blocked signal stays pending, so none that arrives during the start is lost. A Dispatch signal source would miss
/// those that arrive before it is registered.
package struct ProcessSignals: Sendable {
    /// What a signal asks for.
    package enum Request: Sendable {
        /// SIGTERM, SIGINT: to stop.
        case stop
        /// SIGHUP: to read the configuration again, and to open log files again.
        case reload
        /// SIGUSR1: to open log files again.
        case reopen
    }

    /// Blocks the signals. Call first thing, on the main thread: threads made later inherit the mask.
    package init() {
        var set = Self.set()
        // Only reads the set on our stack.
        _ = unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Calls `action` on `queue` for each of the signals, the ones already pending included.
    package func observe(on queue: DispatchQueue, _ action: @escaping @Sendable (Request, _ signal: Int32) -> Void) {
        queue.async {
            var set = Self.set()
            while true {
                var signal: Int32 = 0
                // Blocks until one of the set is pending; both structures are on this thread's stack.
                guard unsafe sigwait(&set, &signal) == 0 else { return }
                switch signal {
                case SIGHUP: action(.reload, signal)
                case SIGUSR1: action(.reopen, signal)
                default: action(.stop, signal)
                }
            }
        }
    }

    private static func set() -> sigset_t {
        var set = sigset_t()
        // These only fill the structure on our stack.
        _ = unsafe sigemptyset(&set)
        _ = unsafe sigaddset(&set, SIGTERM)
        _ = unsafe sigaddset(&set, SIGINT)
        _ = unsafe sigaddset(&set, SIGHUP)
        _ = unsafe sigaddset(&set, SIGUSR1)
        return set
    }
}
