import CPlatform
package import Dispatch
import Glibc

/// The arguments, the user and the environment variables of the process.
package enum Environment {
    /// The arguments after the program's name.
    package static var arguments: [String] { Array(CommandLine.arguments.dropFirst()) }

    /// The effective user id.
    package static var user: UInt32 { geteuid() }

    /// Returns the value of a variable; nil if it is not set.
    package static func value(_ name: String) -> String? {
        // unsafe: getenv's text is copied below, and `remove` runs only while the process has one thread.
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// The values of all variables.
    static var values: [String] {
        var values: [String] = []
        // unsafe: the texts are copied, and `remove` runs only while the process has one thread.
        while let variable = unsafe presign_environment(Int32(values.count)) {
            let text = unsafe String(cString: variable)
            values.append(String(text.drop { $0 != "=" }.dropFirst()))
        }
        return values
    }

    /// Removes a variable. Call this only while the process has one thread: the C library does not lock the
    /// environment.
    package static func remove(_ name: String) {
        // unsafe: the call reads a copy of the name, and cannot fail because the name does not contain `=`.
        _ = unsafe unsetenv(name)
    }
}

/// Process settings that protect secrets and keep the process alive.
package enum ProcessHardening {
    /// Prevents core dumps, which could contain credentials, and ignores signals that a failed write would raise.
    ///
    /// - Sets `RLIMIT_CORE` and `PR_SET_DUMPABLE` to 0. The latter also keeps other processes of the same user from
    ///   reading `/proc/PID/mem` and `environ`.
    /// - Ignores `SIGPIPE`, raised when the reader of a log is gone, and `SIGXFSZ`, raised when a log reaches the file
    ///   size limit. The write fails instead.
    /// - Resets `SIGCHLD` to its default.
    package static func apply() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        // unsafe: the call reads the local structure. Lowering a limit cannot fail.
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        _ = presign_disable_dumps()
        _ = signal(SIGPIPE, SIG_IGN)
        _ = signal(SIGXFSZ, SIG_IGN)
        // If the parent process ignored SIGCHLD, the kernel would discard the exit statuses of children.
        _ = signal(SIGCHLD, SIG_DFL)
    }

    /// Raises the soft limit of open descriptors to the hard limit. Each connection needs one.
    package static func raiseDescriptorLimit() {
        var limit = rlimit()
        // unsafe: both calls access only the local structure.
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}

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
