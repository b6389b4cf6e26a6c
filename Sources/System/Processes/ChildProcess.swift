import CPlatform
import Glibc
import Synchronization

/// Runs a program and collects its output. Standard input is `/dev/null`, and the program inherits no other descriptor.
package enum ChildProcess {
    /// The reason why a run failed. Never contains the program's standard output.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        case notStarted(SystemError)
        /// The timeout passed. The program's process group was killed.
        case timedOut
        /// The program wrote more than the limit. Its process group was killed.
        case outputTooLarge
        /// The exit status, or 128 plus the number of the signal that ended the program, and what it says about it.
        case failed(status: Int32, explanation: String? = nil)

        /// One line, without a capital letter.
        package var description: String {
            switch self {
            case .notStarted(let error): "cannot be started: \(error)"
            case .timedOut: "timed out and was killed"
            case .outputTooLarge: "wrote too much output and was killed"
            case .failed(let status, let explanation):
                "exited with status \(status)" + (explanation.map { ": \($0)" } ?? "")
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
        var (output, errors): (Int32, Int32) = (-1, -1)
        // unsafe: the call reads `count` NUL-terminated strings from the array and writes the descriptors.
        let child = unsafe texts.withUnsafeBytes { buffer in
            unsafe presign_spawn(
                program, buffer.bindMemory(to: CChar.self).baseAddress, Int32(arguments.count + 1), &output, &errors)
        }
        guard child > 0 else { throw .notStarted(SystemError(-child)) }
        _ = running.withLock { $0.insert(child) }
        defer {
            close(output)
            close(errors)
        }
        var run = Run(child: child, output: Pipe(descriptor: output), errors: Pipe(descriptor: errors))
        do {
            return try run.output(limit: limit, until: .now + timeout)
        } catch {
            run.kill()
            throw error
        }
    }

    /// The read end of a pipe, and what was read from it.
    private struct Pipe {
        let descriptor: Int32
        var content: [UInt8] = []
        var isOpen = true

        /// An entry for `poll`, which ignores a negative descriptor.
        var entry: pollfd { pollfd(fd: isOpen ? descriptor : -1, events: Int16(POLLIN), revents: 0) }

        /// Reads what is available, at most a little more than `limit` bytes in all.
        mutating func read(limit: Int) {
            while isOpen, content.count <= limit, let chunk = ChildProcess.chunk(of: descriptor) {
                isOpen = !chunk.isEmpty
                content += chunk
            }
        }

        /// Reads what is available, and keeps the last `limit` bytes.
        mutating func readEnd(limit: Int) {
            while isOpen, let chunk = ChildProcess.chunk(of: descriptor) {
                isOpen = !chunk.isEmpty
                content = Array((content + chunk).suffix(limit))
            }
        }
    }

    /// A child that was started.
    private struct Run {
        let child: Int32
        var output: Pipe
        var errors: Pipe
        var hasEnded = false
        var status: Int32 = 0

        mutating func output(limit: Int, until end: ContinuousClock.Instant) throws(Failure) -> [UInt8] {
            while true {
                // Exit ends the run, not end of input: the program's own children may keep the pipes open.
                reap(waits: false)
                output.read(limit: limit)
                guard output.content.count <= limit else { throw .outputTooLarge }
                errors.readEnd(limit: ProcessExplanation.maximumInput)
                if hasEnded {
                    guard status == 0 else {
                        throw .failed(
                            status: status,
                            explanation: ProcessExplanation.line(
                                of: errors.content, besides: output.content, Environment.values))
                    }
                    return output.content
                }
                guard ContinuousClock.now < end else { throw .timedOut }
                var entries = [output.entry, errors.entry]
                // unsafe: poll writes the local array, which has two entries.
                _ = unsafe poll(&entries, 2, pollInterval)
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
        do throws(SystemError) {
            return try SystemError.bytes(from: descriptor, atMost: 4096)
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
