import Synchronization

/// Token buckets of many callers in memory of a fixed size: 64 shards of 128 sets of 8 entries, 1 MiB in all, of which a
/// shard takes its part when it is first used.
///
/// A caller's keyed hash (see `LimitKey`) says in which set its entry stands. In a full set the entry that is full again
/// first gives way: one that is full already carries no state, and of the others it is the one that forgives least.
///
/// What a flood of different callers gains: an entry that owes as much as one token takes to come back gives way to the
/// next such entry, never one that owes more. To free a caller that has used up its bucket, eight others that hash to the
/// same set have to use up theirs, which nobody can aim at without the key: about as many requests as the whole table
/// holds tokens. A caller that has taken a few tokens may get those back.
package struct LimitTable: ~Copyable, Sendable {
    /// When the last bucket is full again: from then on nobody has to be looked up.
    private let allFullAt = Atomic<Int64>(0)
    private let shards = (0..<64).map { _ in LimitShard() }

    /// An empty table.
    package init() {}

    /// Takes a token of the caller's if there is one.
    package func take(_ key: LimitKey, under limit: RateLimit, at now: Int64) -> LimitUse {
        let use = shards[key.shard].take(key, under: limit, at: now)
        let fullAt = now.addingReportingOverflow(use.deficit)
        allFullAt.max(fullAt.overflow ? .max : fullAt.partialValue, ordering: .relaxed)
        return use
    }

    /// Whether every bucket is full.
    package func isUntouched(at now: Int64) -> Bool { now >= allFullAt.load(ordering: .relaxed) }

    /// What `take` would say, without taking.
    package func look(_ key: LimitKey, under limit: RateLimit, at now: Int64) -> LimitUse {
        shards[key.shard].look(key, under: limit, at: now)
    }

    /// Takes a token, or says what that would come to.
    package func use(_ key: LimitKey, under limit: RateLimit, at now: Int64, counts: Bool) -> LimitUse {
        counts ? take(key, under: limit, at: now) : look(key, under: limit, at: now)
    }

    /// Bytes of all entries there are.
    package var byteCount: Int { shards.reduce(0) { $0 + $1.byteCount } }
}

/// How a caller stands after a token was taken or refused.
package struct LimitUse: Sendable, Equatable {
    /// Nanoseconds to wait for a token; 0 when it was there.
    package let wait: Int64
    /// Nanoseconds until the bucket is full.
    let deficit: Int64

    /// Whether the token was there.
    package var isAllowed: Bool { wait == 0 }
    /// For `Retry-After`: whole seconds, rounded up, at least 1.
    package var retryAfter: Int { max(1, Self.seconds(wait)) }
    /// Whole seconds until the bucket is full, rounded up.
    package var reset: Int { Self.seconds(deficit) }

    /// The tokens that are left.
    package func remaining(under limit: RateLimit) -> Int { Int((limit.fillTime - deficit) / limit.interval) }

    private static func seconds(_ nanoseconds: Int64) -> Int { Int((nanoseconds + 999_999_999) / 1_000_000_000) }
}
