import Synchronization

/// A part of a `LimitTable` with a lock of its own, so that loops hardly ever wait for each other.
final class LimitShard: Sendable {
    private struct Entry {
        var key: UInt64
        var bucket: TokenBucket
    }

    static let sets = 128
    private static let ways = 8
    private let entries = Mutex<[Entry]>([])

    var byteCount: Int { entries.withLock { $0.count * MemoryLayout<Entry>.stride } }

    func take(_ key: LimitKey, under limit: RateLimit, at now: Int64) -> LimitUse {
        entries.withLock { entries in
            if entries.isEmpty {
                entries = Array(repeating: Entry(key: 0, bucket: .full), count: Self.sets * Self.ways)
            }
            let (index, isFound) = Self.place(of: key, in: entries)
            // An empty entry is one that is full: that it has the key 0 does no harm.
            if !isFound { entries[index] = Entry(key: key.hash, bucket: .full) }
            let wait = entries[index].bucket.take(under: limit, at: now)
            return LimitUse(wait: wait, deficit: entries[index].bucket.deficit(under: limit, at: now))
        }
    }

    func look(_ key: LimitKey, under limit: RateLimit, at now: Int64) -> LimitUse {
        entries.withLock { entries in
            var bucket = TokenBucket.full
            if !entries.isEmpty {
                let (index, isFound) = Self.place(of: key, in: entries)
                if isFound { bucket = entries[index].bucket }
            }
            return LimitUse(
                wait: bucket.wait(under: limit, at: now), deficit: bucket.deficit(under: limit, at: now))
        }
    }

    /// Where the caller's entry stands; else which one gives way to it: the one that is full first.
    private static func place(of key: LimitKey, in entries: borrowing [Entry]) -> (index: Int, isFound: Bool) {
        let start = key.set * ways
        var first = start
        for index in start..<(start + ways) {
            if entries[index].key == key.hash { return (index, true) }
            if entries[index].bucket.fullAt < entries[first].bucket.fullAt { first = index }
        }
        return (first, false)
    }
}
