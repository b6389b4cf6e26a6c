import CPlatform
import Glibc

/// What the process takes of the system just now. Read from /proc (proc(5)); what cannot be read there is nil.
package struct ProcessUsage: Sendable {
    /// User and system time of all threads.
    package let processorNanoseconds: Int
    /// Bytes.
    package let memory: (resident: Int, mapped: Int)?
    /// File descriptors.
    package let openDescriptors: Int?
    /// The soft limit of file descriptors; nil without a limit.
    package let mostDescriptors: Int?
    /// Nanoseconds since 1970, exact to about 10 ms.
    package let start: Int?

    /// The values of now. It reads a few files of /proc, so it belongs on no event loop.
    package static func current() -> ProcessUsage {
        ProcessUsage(
            processorNanoseconds: nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID), memory: memory(),
            openDescriptors: openDescriptors(), mostDescriptors: descriptorLimit, start: start)
    }

    private static func memory() -> (resident: Int, mapped: Int)? {
        let pages = words(of: "/proc/self/statm").prefix(2).compactMap { Int($0) }
        let size = sysconf(Int32(_SC_PAGESIZE))
        guard pages.count == 2, size > 0 else { return nil }
        return (pages[1] * size, pages[0] * size)
    }

    /// Since Linux 6.2 the folder's size is the number; before, its entries have to be counted.
    private static func openDescriptors() -> Int? {
        var status = stat()
        // unsafe: writes the structure on our stack.
        guard unsafe stat("/proc/self/fd", &status) == 0 else { return nil }
        if status.st_size > 0 { return Int(status.st_size) }
        do {
            // Two of them are the listing's own.
            return try Directory(path: "/proc/self/fd").names().count - 2
        } catch {
            return nil
        }
    }

    /// The soft limit of file descriptors of this process; nil without a limit.
    package static var descriptorLimit: Int? {
        var limit = rlimit()
        // unsafe: writes the structure on our stack.
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return Int(exactly: limit.rlim_cur)
    }

    /// The ticks since the system's start that proc(5) calls `starttime`, the 22nd word; the second, the command in
    /// brackets, may hold blanks, so that counting begins behind it.
    private static let start: Int? = {
        let text = words(of: "/proc/self/stat", after: UInt8(ascii: ")"))
        let ticksPerSecond = sysconf(Int32(_SC_CLK_TCK))
        guard text.count > 19, let ticks = Int(text[19]), ticksPerSecond > 0 else { return nil }
        let sinceBoot = ticks * (1_000_000_000 / ticksPerSecond)
        return nanoseconds(of: CLOCK_REALTIME) - (nanoseconds(of: CLOCK_BOOTTIME) - sinceBoot)
    }()

    private static func nanoseconds(of clock: clockid_t) -> Int {
        var time = timespec()
        // unsafe: writes the structure on our stack; the clocks exist on every Linux.
        _ = unsafe clock_gettime(clock, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// The words of a file, or of what stands behind the last of a character.
    private static func words(of path: String, after character: UInt8? = nil) -> [Substring] {
        let content: [UInt8]
        do throws(ReadableFile.Failure) {
            content = try ReadableFile.contents(of: path)
        } catch {
            return []
        }
        let start = character.flatMap { content.lastIndex(of: $0) }.map { $0 + 1 } ?? 0
        return String(decoding: content[start...], as: UTF8.self).split(whereSeparator: \.isWhitespace)
    }
}
