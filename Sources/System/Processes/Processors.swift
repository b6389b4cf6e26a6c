import CPlatform

/// The processors this process may use.
package enum Processors {
    /// The number of processors in the affinity mask, or the CPU quota of the control groups if that is less; at least
    /// 1.
    package static var count: Int {
        count(available: Int(presign_processor_count())) { path in
            (try? ReadableFile.contents(of: path)).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// - Parameters:
    ///   - available: processors in the affinity mask.
    ///   - read: returns the text of a file, or nil.
    static func count(available: Int, read: (String) -> String?) -> Int {
        max(1, min(available, ProcessorQuota.processors(read: read) ?? .max))
    }
}

/// The CPU quota of the process's control groups.
struct ProcessorQuota {
    /// The mount point of control groups, used by systemd and in containers.
    private static let mount = "/sys/fs/cgroup"

    /// Returns the quota as a number of processors, rounded up; nil without a quota.
    ///
    /// The quotas of all enclosing groups apply, so the result is the smallest along the path. Inside a container, the
    /// container's own group is the root of the mount, whatever its path in `/proc/self/cgroup`.
    ///
    /// Source: Linux, Documentation/admin-guide/cgroup-v2.rst (`cpu.max`), scheduler/sched-bwc.rst (`cpu.cfs_*`).
    ///
    /// - Parameter read: returns the content of a file; nil if it cannot be read.
    static func processors(read: (String) -> String?) -> Int? {
        let lines = (read("/proc/self/cgroup") ?? "").split(separator: "\n")
        return lines.flatMap { quotas(ofGroup: $0, read) }.min()
    }

    /// - Parameter line: a line of `/proc/self/cgroup`: `0::/path` (version 2) or `ID:CONTROLLERS:/path` (version 1).
    private static func quotas(ofGroup line: Substring, _ read: (String) -> String?) -> [Int] {
        let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3 else { return [] }
        let folders = folders(along: fields[2])
        if fields[0] == "0", fields[1].isEmpty {
            return folders.compactMap { folder in
                read("\(mount)\(folder)/cpu.max").flatMap { quota(of: $0.split(whereSeparator: \.isWhitespace)) }
            }
        }
        guard fields[1].split(separator: ",").contains("cpu") else { return [] }
        // The directory is named after all controllers mounted together, but there is a link named after each.
        return folders.compactMap { folder in
            let group = "\(mount)/cpu\(folder)"
            guard let quota = read("\(group)/cpu.cfs_quota_us"), let period = read("\(group)/cpu.cfs_period_us")
            else { return nil }
            return Self.quota(of: (quota + " " + period).split(whereSeparator: \.isWhitespace))
        }
    }

    /// The group and all enclosing groups, starting with the root: ``, `/a` and `/a/b` for `/a/b`. Only the root if the
    /// path is outside of the namespace (`/..`).
    private static func folders(along path: Substring) -> [String] {
        let names = path.split(separator: "/")
        guard !names.contains("..") else { return [""] }
        return names.reduce(into: [""]) { folders, name in folders.append("\(folders.last ?? "")/\(name)") }
    }

    /// Divides the processor time by its period, both in microseconds. Nil for `max` or `-1`, which mean no quota.
    private static func quota(of words: [Substring]) -> Int? {
        guard words.count == 2, let quota = Int(words[0]), let period = Int(words[1]), quota > 0, period > 0
        else { return nil }
        return quota / period + (quota % period == 0 ? 0 : 1)
    }
}
