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
