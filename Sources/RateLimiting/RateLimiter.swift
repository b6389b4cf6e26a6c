import System

/// The token buckets of up to 65,536 keys, which take about 2 MiB.
///
/// A bucket expires when it is full again, so a full table forgets the bucket that would be full first. A flood of other
/// keys frees a key that has used up its bucket only if about 65,536 of them use up theirs too; a key that has taken a
/// few tokens may get those back.
package final class RateLimiter: Sendable {
    private let buckets = BoundedTable<LimitKey, TokenBucket>(capacity: 65_536)

    /// Every bucket is full.
    package init() {}

    /// Takes a token from the key's bucket if there is one.
    ///
    /// - Parameter now: nanoseconds of a clock that is never set back.
    package func take(_ key: LimitKey, under limit: RateLimit, at now: Int64) -> RateLimitDecision {
        buckets.update(key, initial: .full) { bucket in
            let wait = bucket.take(under: limit, at: now)
            return RateLimitDecision(wait: wait, deficit: bucket.deficit(under: limit, at: now))
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
