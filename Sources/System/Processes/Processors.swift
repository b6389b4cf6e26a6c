import CPlatform

/// The processors this process may use.
package enum Processors {
    /// How many, at least 1: those in its affinity mask, or fewer if its control groups have a CPU quota.
    package static var count: Int {
        let quota = ProcessorQuota.processors { path in
            (try? ReadableFile.contents(of: path)).map { String(decoding: $0, as: UTF8.self) }
        }
        return max(1, min(Int(presign_processor_count()), quota ?? .max))
    }
}
