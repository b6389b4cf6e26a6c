import CPlatform
import Glibc

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
