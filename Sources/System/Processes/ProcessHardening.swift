import CPlatform
import Glibc

/// What keeps secrets inside the process and the process alive.
package enum ProcessHardening {
    /// No core dump may ever hold credentials, and a vanished log reader must not end the process.
    ///
    /// Sets `RLIMIT_CORE` to 0, `PR_SET_DUMPABLE` to 0 (which also keeps other processes of the same user from
    /// reading `/proc/PID/mem` and `environ`), and ignores `SIGPIPE`, and `SIGXFSZ`: a log that has reached the size
    /// limit of files is a failed write. `SIGCHLD` is left to its default.
    package static func apply() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        // Lowering one's own limits cannot fail; the structure is ours and only read.
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        _ = presign_disable_dumps()
        _ = signal(SIGPIPE, SIG_IGN)
        _ = signal(SIGXFSZ, SIG_IGN)
        // Whoever started us may have had it ignored, and then no child's status could be had.
        _ = signal(SIGCHLD, SIG_DFL)
    }

    /// Raises the soft limit of open descriptors to the hard one; connections need one each.
    package static func raiseDescriptorLimit() {
        var limit = rlimit()
        // Both calls only read or write the structure on our stack.
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
