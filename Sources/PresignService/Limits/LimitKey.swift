/// Whom a bucket is for: 64 bits of a keyed hash (SipHash), so that nobody can choose names or addresses that share a
/// bucket or crowd one set. Two callers share a bucket by chance once in 2^64 pairs.
struct LimitKey: Sendable {
    let hash: UInt64

    /// The shard is told by the highest 6 bits, the set by the next 7.
    var shard: Int { Int(hash >> 58) }
    var set: Int { Int((hash >> 51) & UInt64(LimitShard.sets - 1)) }
}
