import System

/// The token buckets of up to 65,536 keys, which use about 3 MiB of memory.
///
/// A full table evicts the bucket that would be full first. An attacker therefore needs about 65,536 keys with empty
/// buckets to evict another empty bucket. A bucket that lacks only a few tokens can be evicted sooner. It is then full
/// when it is next used.
package final class RateLimiter: Sendable {
    private let buckets = BoundedTable<LimitKey, TokenBucket>(capacity: 65_536)

    /// Creates a limiter in which every bucket is full.
    package init() {}

    /// Takes a token from the bucket of a key if one is available.
    ///
    /// - Parameter now: the time of a monotonic clock in nanoseconds.
    package func take(_ key: LimitKey, under limit: RateLimit, at now: Int64) -> RateLimitDecision {
        buckets.update(key, initial: .full) { bucket in
            let wait = bucket.take(under: limit, at: now)
            return RateLimitDecision(wait: wait, deficit: bucket.deficit(under: limit, at: now))
        }
    }

    /// Takes a token that an allowed request needs beyond its first; see `TokenBucket.charge`.
    package func charge(_ key: LimitKey, under limit: RateLimit, at now: Int64) -> RateLimitDecision {
        buckets.update(key, initial: .full) { bucket in
            bucket.charge(under: limit, at: now)
            return RateLimitDecision(wait: 0, deficit: bucket.deficit(under: limit, at: now))
        }
    }

    /// Returns what `take` would return, without taking a token.
    package func look(_ key: LimitKey, under limit: RateLimit, at now: Int64) -> RateLimitDecision {
        let bucket = buckets.value(for: key) ?? .full
        return RateLimitDecision(
            wait: bucket.wait(under: limit, at: now), deficit: bucket.deficit(under: limit, at: now))
    }

    /// The number of buckets in memory.
    package var count: Int { buckets.usage.entries }
}

extension TokenBucket: Expiring {
    var expiry: Int64 { fullAt }
    var byteCount: Int { 0 }
}
