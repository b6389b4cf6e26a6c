/// Whom a bucket is for: 64 bits of a keyed hash (SipHash), so that nobody can choose names or addresses that share a
/// bucket or crowd one set. Two callers share a bucket by chance once in 2^64 pairs.
package struct LimitKey: Sendable {
    package let hash: UInt64

    /// A key of this hash.
    package init(hash: UInt64) { self.hash = hash }

    /// The shard is told by the highest 6 bits, the set by the next 7.
    package var shard: Int { Int(hash >> 58) }
    package var set: Int { Int((hash >> 51) & UInt64(LimitShard.sets - 1)) }
}
