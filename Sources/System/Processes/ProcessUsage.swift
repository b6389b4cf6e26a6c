import CPlatform
import Glibc

/// The system resources that the process uses, read from /proc (proc(5)). A value that cannot be read is nil.
package struct ProcessUsage: Sendable {
    /// User and system time of all threads.
    package let processorNanoseconds: Int
    /// Resident and virtual memory in bytes.
    package let memory: (resident: Int, mapped: Int)?
    /// The number of open file descriptors.
    package let openDescriptors: Int?
    /// The soft limit of open file descriptors; nil without a limit.
    package let mostDescriptors: Int?
    /// The start of the process in nanoseconds since 1970, accurate to about 10 ms.
    package let start: Int?

    /// Returns the current values. Reads several files, so do not call it on an event loop.
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

    /// Since Linux 6.2 the size of the directory is the number of descriptors; before, its entries must be counted.
    private static func openDescriptors() -> Int? {
        var status = stat()
        // unsafe: the call writes the local structure.
        guard unsafe stat("/proc/self/fd", &status) == 0 else { return nil }
        if status.st_size > 0 { return Int(status.st_size) }
        // The listing itself opens two descriptors.
        return (try? Directory(path: "/proc/self/fd").names()).map { $0.count - 2 }
    }

    /// The soft limit of open file descriptors; nil without a limit.
    package static var descriptorLimit: Int? {
        var limit = rlimit()
        // unsafe: the call writes the local structure.
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return Int(exactly: limit.rlim_cur)
    }

    /// Computed from `starttime`, the 22nd word of /proc/self/stat, in ticks since boot. The second word, the command
    /// in parentheses, may contain spaces, so the words after it are counted.
    private static let start: Int? = {
        let text = words(of: "/proc/self/stat", after: UInt8(ascii: ")"))
        let ticksPerSecond = sysconf(Int32(_SC_CLK_TCK))
        guard text.count > 19, let ticks = Int(text[19]), ticksPerSecond > 0 else { return nil }
        let sinceBoot = ticks * (1_000_000_000 / ticksPerSecond)
        return nanoseconds(of: CLOCK_REALTIME) - (nanoseconds(of: CLOCK_BOOTTIME) - sinceBoot)
    }()

    private static func nanoseconds(of clock: clockid_t) -> Int {
        var time = timespec()
        // unsafe: the call writes the local structure; every Linux has these clocks.
        _ = unsafe clock_gettime(clock, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// Returns the words of a file, or only those after the last occurrence of a character.
    private static func words(of path: String, after character: UInt8? = nil) -> [Substring] {
        guard let content = try? ReadableFile.contents(of: path) else { return [] }
        let start = character.flatMap { content.lastIndex(of: $0) }.map { $0 + 1 } ?? 0
        return String(decoding: content[start...], as: UTF8.self).split(whereSeparator: \.isWhitespace)
    }
}
