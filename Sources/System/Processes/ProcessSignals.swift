package import Dispatch
import Glibc

/// SIGTERM, SIGINT, SIGHUP and SIGUSR1, blocked at the start of `main` and received with `sigwait`.
///
/// A blocked signal stays pending, so a signal during startup is not lost. A Dispatch signal source would miss signals
/// that arrive before it is registered.
package struct ProcessSignals: Sendable {
    /// The action that a signal requests.
    package enum Request: Sendable {
        /// SIGTERM, SIGINT: stop.
        case stop
        /// SIGHUP: reload the configuration and reopen log files.
        case reload
        /// SIGUSR1: reopen log files.
        case reopen
    }

    /// Blocks the signals. Call this first, on the main thread: threads created later inherit the signal mask.
    package init() {
        var set = Self.set()
        // unsafe: the call reads the local set.
        _ = unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Calls `action` on `queue` for each signal, including pending ones. Occupies the queue forever.
    package func observe(on queue: DispatchQueue, _ action: @escaping @Sendable (Request, _ signal: Int32) -> Void) {
        queue.async {
            var set = Self.set()
            while true {
                var signal: Int32 = 0
                // unsafe: the call blocks until a signal is pending, and accesses only the local variables.
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
        // unsafe: the calls write the local set.
        _ = unsafe sigemptyset(&set)
        _ = unsafe sigaddset(&set, SIGTERM)
        _ = unsafe sigaddset(&set, SIGINT)
        _ = unsafe sigaddset(&set, SIGHUP)
        _ = unsafe sigaddset(&set, SIGUSR1)
        return set
    }
}
