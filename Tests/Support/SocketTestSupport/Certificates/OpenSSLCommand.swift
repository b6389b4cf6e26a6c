import Glibc
import Synchronization

/// Runs the command `openssl` to its end. It does not use Foundation's Process, which crashes in a test process with a
/// thousand open sockets.
enum OpenSSLCommand {
    /// A command that failed.
    struct Failure: Error, CustomStringConvertible {
        let arguments: [String]
        let status: Int32

        var description: String { "openssl \(arguments.joined(separator: " ")): \(status)" }
    }

    /// Runs the command in the folder of its input and output files.
    static func run(_ arguments: [String], in folder: String) throws {
        // Only one command at a time writes an authority's files.
        try lock.withLock { _ in try runNow(arguments, in: folder) }
    }

    private static let lock = Mutex(())

    private static func runNow(_ arguments: [String], in folder: String) throws {
        // `sh` changes to the folder; the arguments reach `openssl` unchanged.
        let words = ["sh", "-c", "cd \"$1\" && shift && exec openssl \"$@\" 2>>openssl.log", "sh", folder] + arguments
        // C strings of this function, freed after the call that reads them.
        var copies: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) }
        unsafe copies.append(nil)
        defer { unsafe copies.forEach { unsafe free($0) } }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        var process: pid_t = 0
        let started = unsafe posix_spawn(&process, "/bin/sh", &actions, nil, &copies, environ)
        guard started == 0 else { throw Failure(arguments: arguments, status: started) }
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw Failure(arguments: arguments, status: errno) }
        }
        guard status == 0 else { throw Failure(arguments: arguments, status: status) }
    }
}
