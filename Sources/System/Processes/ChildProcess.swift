import CPlatform
import Glibc
import Synchronization

/// A program that is run for its output. It has no input, its complaints go nowhere, and it gets no descriptor of ours.
package enum ChildProcess {
    /// Why there is no output. What the program wrote is never part of it.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        /// It could not be started.
        case notStarted(SystemError)
        /// It took too long, and was killed with all of its group.
        case timedOut
        /// It wrote more than the limit, and was killed.
        case outputTooLarge
        /// It ended with this status; a signal's number plus 128.
        case failed(status: Int32)

        /// One line, without a capital letter.
        package var description: String {
            switch self {
            case .notStarted(let error): "it cannot be started: \(error)"
            case .timedOut: "it took too long and was killed"
            case .outputTooLarge: "its output is too large"
            case .failed(let status): "it ended with status \(status)"
            }
        }
    }

    /// Those that run. A number is taken out in the same moment in which the system may give it to another.
    private static let running = Mutex<Set<Int32>>([])

    /// Kills those that run, with their groups, as at the end of the process; whoever waits for one is told of a signal.
    package static func killAll() {
        running.withLock { for child in $0 { _ = presign_kill_group(child) } }
    }

    /// How long to wait between two looks whether it has ended, in milliseconds.
    private static let pause: Int32 = 20

    /// Runs a program until it ends, and gives what it wrote to its standard output. Blocks.
    ///
    /// - Parameters:
    ///   - program: its path; nothing is searched.
    ///   - arguments: without its own name; none may hold a NUL.
    ///   - limit: the most output, in bytes.
    ///   - timeout: for all of it.
    package static func output(
        of program: String, _ arguments: [String], limit: Int = 64 * 1024, timeout: Duration
    ) throws(Failure) -> [UInt8] {
        var texts: [UInt8] = []
        for text in [program] + arguments { texts += Array(text.utf8) + [0] }
        var descriptor: Int32 = -1
        // The function reads as many texts as it is told, each with its NUL, and writes one number.
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

    /// A child that has been started.
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
                // It may leave children behind that keep the pipe open: that it has ended counts, and not the pipe.
                reap(waits: false)
                while isOpen, let piece = ChildProcess.piece(of: descriptor) {
                    isOpen = !piece.isEmpty
                    content += piece
                    guard content.count <= limit else { throw .outputTooLarge }
                }
                if hasEnded {
                    guard status == 0 else { throw .failed(status: status) }
                    return content
                }
                guard ContinuousClock.now < end else { throw .timedOut }
                var entry = pollfd(fd: isOpen ? descriptor : -1, events: Int16(POLLIN), revents: 0)
                // Our own structure; a negative descriptor is passed over, and only the time counts.
                _ = unsafe poll(&entry, 1, pause)
            }
        }

        /// Ends it and its group, unless it was reaped: the kernel may reuse its number.
        mutating func kill() {
            guard !hasEnded else { return }
            _ = presign_kill_group(child)
            // After SIGKILL this is short.
            reap(waits: true)
        }

        private mutating func reap(waits: Bool) {
            (hasEnded, status) = ChildProcess.running.withLock { running in
                var status: Int32 = 0
                // Writes one number of ours.
                let result = unsafe presign_reap(child, waits, &status)
                if result != 0 { running.remove(child) }
                // Below 0 somebody else has taken its status, and it cannot be known to be good.
                return (result != 0, result < 0 ? 255 : status)
            }
        }
    }

    /// What can be read just now: nothing at the end, nil when there is none yet.
    private static func piece(of descriptor: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        do throws(SystemError) {
            let count = try SystemError.retryingOnInterrupt {
                // The pointer is used within the call only and bounded by the array's own count.
                unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            }
            return Array(buffer.prefix(count))
        } catch {
            // A pipe of ours fails in no other way; any other failure is treated as its end.
            return error.code == EAGAIN ? nil : []
        }
    }
}

/// Where a program is.
package enum ProgramPath {
    /// The path of a program, as a shell would find it: what has a slash is one, all else is looked up in `PATH`.
    ///
    /// - Returns: nil when there is none that may be executed.
    package static func path(of name: String, searching directories: String?) -> String? {
        if name.utf8.contains(UInt8(ascii: "/")) { return isExecutable(name) ? name : nil }
        guard !name.isEmpty else { return nil }
        // The system's own default (confstr, _CS_PATH).
        let directories = (directories ?? "/bin:/usr/bin").split(separator: ":")
        return directories.lazy.map { "\($0)/\(name)" }.first(where: isExecutable)
    }

    private static func isExecutable(_ path: String) -> Bool {
        var status = stat()
        // Fills the structure on our stack; the text is ended by the bridge and read within the call.
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        return unsafe access(path, X_OK) == 0
    }
}
