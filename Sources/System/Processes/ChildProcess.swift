import CPlatform
import Glibc
import Synchronization

/// Runs a program and collects its output. Standard input and standard error are `/dev/null`, and the program inherits
/// no other descriptor.
package enum ChildProcess {
    /// The reason why a run failed. Never contains the program's output.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        case notStarted(SystemError)
        /// The timeout passed. The program's process group was killed.
        case timedOut
        /// The program wrote more than the limit. Its process group was killed.
        case outputTooLarge
        /// The exit status, or 128 plus the number of the signal that ended the program.
        case failed(status: Int32)

        /// One line, without a capital letter.
        package var description: String {
            switch self {
            case .notStarted(let error): "cannot be started: \(error)"
            case .timedOut: "timed out and was killed"
            case .outputTooLarge: "wrote too much output and was killed"
            case .failed(let status): "exited with status \(status)"
            }
        }
    }

    /// The ids of running children. Reaping a child removes its id under the same lock, because the kernel may then
    /// reuse it and `killAll` must not kill another process.
    private static let running = Mutex<Set<Int32>>([])

    /// Kills all running children with their process groups. Each call of `output` that waits for one throws `failed`.
    package static func killAll() {
        running.withLock { for child in $0 { _ = presign_kill_group(child) } }
    }

    /// The time between two checks whether a child has exited, in milliseconds.
    private static let pollInterval: Int32 = 20

    /// Runs a program until it exits and returns its standard output. Blocks.
    ///
    /// - Parameters:
    ///   - program: a path; `PATH` is not searched.
    ///   - arguments: without the program's name; none may contain a NUL.
    ///   - limit: the maximum size of the output in bytes.
    ///   - timeout: for the whole run.
    package static func output(
        of program: String, _ arguments: [String], limit: Int = 64 * 1024, timeout: Duration
    ) throws(Failure) -> [UInt8] {
        var texts: [UInt8] = []
        for text in [program] + arguments { texts += Array(text.utf8) + [0] }
        var descriptor: Int32 = -1
        // unsafe: the call reads `count` NUL-terminated strings from the array and writes the descriptor.
        let child = unsafe texts.withUnsafeBytes { buffer in
            unsafe presign_spawn(
                program, buffer.bindMemory(to: CChar.self).baseAddress, Int32(arguments.count + 1), &descriptor)
        }
        guard child > 0 else { throw .notStarted(SystemError(-child)) }
        _ = running.withLock { $0.insert(child) }
        defer { close(descriptor) }
        var run = Run(child: child, descriptor: descriptor)
        do {
            return try run.output(limit: limit, until: .now + timeout)
        } catch {
            run.kill()
            throw error
        }
    }

    /// A child that was started.
    private struct Run {
        let child: Int32
        let descriptor: Int32
        private var hasEnded = false
        private var status: Int32 = 0

        init(child: Int32, descriptor: Int32) {
            self.child = child
            self.descriptor = descriptor
        }

        mutating func output(limit: Int, until end: ContinuousClock.Instant) throws(Failure) -> [UInt8] {
            var content: [UInt8] = []
            var isOpen = true
            while true {
                // Exit ends the run, not end of input: the program's own children may keep the pipe open.
                reap(waits: false)
                while isOpen, let chunk = ChildProcess.chunk(of: descriptor) {
                    isOpen = !chunk.isEmpty
                    content += chunk
                    guard content.count <= limit else { throw .outputTooLarge }
                }
                if hasEnded {
                    guard status == 0 else { throw .failed(status: status) }
                    return content
                }
                guard ContinuousClock.now < end else { throw .timedOut }
                var entry = pollfd(fd: isOpen ? descriptor : -1, events: Int16(POLLIN), revents: 0)
                // unsafe: poll writes the local structure. It ignores a negative descriptor and only waits.
                _ = unsafe poll(&entry, 1, pollInterval)
            }
        }

        /// Kills the child and its group unless the child was reaped, after which the kernel may reuse its id.
        mutating func kill() {
            guard !hasEnded else { return }
            _ = presign_kill_group(child)
            // After SIGKILL, the wait is short.
            reap(waits: true)
        }

        private mutating func reap(waits: Bool) {
            (hasEnded, status) = ChildProcess.running.withLock { running in
                var status: Int32 = 0
                // unsafe: the call writes the local variable.
                let result = unsafe presign_reap(child, waits, &status)
                if result != 0 { running.remove(child) }
                // A negative result means that other code reaped the child. Its status is unknown, so report failure.
                return (result != 0, result < 0 ? 255 : status)
            }
        }
    }

    /// Returns available bytes: empty at the end of input, nil if there are no bytes yet.
    private static func chunk(of descriptor: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        do throws(SystemError) {
            let count = try SystemError.retryingOnInterrupt {
                // unsafe: the pointer is used only during the call, with the array's count.
                unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            }
            return Array(buffer.prefix(count))
        } catch {
            // No other error is expected of a pipe; treat it as the end of input.
            return error.code == EAGAIN ? nil : []
        }
    }
}

/// Finds programs.
package enum ProgramPath {
    /// Returns the path of a program as a shell would find it: a name with a slash is a path, any other name is
    /// searched in directories.
    ///
    /// - Parameter directories: the value of `PATH`; nil means `/bin:/usr/bin`.
    /// - Returns: nil if no executable file is found.
    package static func path(of name: String, searching directories: String?) -> String? {
        if name.utf8.contains(UInt8(ascii: "/")) { return isExecutable(name) ? name : nil }
        guard !name.isEmpty else { return nil }
        // The system's default (confstr, _CS_PATH).
        let directories = (directories ?? "/bin:/usr/bin").split(separator: ":")
        return directories.lazy.map { "\($0)/\(name)" }.first(where: isExecutable)
    }

    private static func isExecutable(_ path: String) -> Bool {
        var status = stat()
        // unsafe: the calls write the local structure and read the path, which Swift NUL-terminates.
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        return unsafe access(path, X_OK) == 0
    }
}
