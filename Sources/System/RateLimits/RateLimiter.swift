/// A rate limit: the number of requests per period and the size of a burst.
package struct RateLimit: Sendable, Equatable {
    /// The tokens refilled per period, 1...1,000,000.
    package let count: Int
    /// The period in seconds: 1, 60 or 3600.
    package let period: Int
    /// The capacity of a bucket in tokens, 1...1,000,000.
    package let burst: Int
    /// The time to refill one token in nanoseconds, rounded down.
    package let interval: Int64
    /// The time to refill an empty bucket in nanoseconds.
    let fillTime: Int64

    /// The maximum time to refill an empty bucket in seconds: 30 days.
    package static let maximumFillTime = 30 * 86_400

    /// Creates a limit. Returns nil if a number is out of range or refilling takes longer than `maximumFillTime`.
    ///
    /// - Parameter burst: the capacity of a bucket in tokens. Nil uses `count`.
    package init?(count: Int, period: Int, burst: Int? = nil) {
        let range = 1...1_000_000
        let burst = burst ?? count
        guard range.contains(count), range.contains(burst), [1, 60, 3600].contains(period) else { return nil }
        self.count = count
        self.period = period
        self.burst = burst
        interval = Int64(period) * 1_000_000_000 / Int64(count)
        fillTime = interval * Int64(burst)
        guard fillTime <= Int64(Self.maximumFillTime) * 1_000_000_000 else { return nil }
    }
}

/// The result of checking a request against a rate limit.
package struct RateLimitDecision: Sendable, Equatable {
    /// The nanoseconds until a token is available, 0 if one was available.
    package let wait: Int64
    /// The nanoseconds until the bucket is full.
    let deficit: Int64

    /// Whether the request is within the limit.
    package var isAllowed: Bool { wait == 0 }
    /// The value of `Retry-After`: seconds until a token is available, rounded up, at least 1.
    package var retryAfter: Int { max(1, Self.seconds(wait)) }
    /// The seconds until the bucket is full, rounded up.
    package var reset: Int { Self.seconds(deficit) }

    /// Returns the number of remaining tokens; 0 if the bucket owes one.
    package func remaining(under limit: RateLimit) -> Int { max(0, Int((limit.fillTime - deficit) / limit.interval)) }

    private static func seconds(_ nanoseconds: Int64) -> Int { Int((nanoseconds + 999_999_999) / 1_000_000_000) }
}

/// The key of a token bucket: a 64-bit hash of, for example, a caller or an address.
///
/// The hash has a random seed, so clients cannot choose names or addresses that collide.
package struct LimitKey: Sendable, Hashable {
    private let hash: Int

    /// - Parameter hasher: a hasher that has combined everything that identifies the bucket.
    package init(_ hasher: consuming Hasher) { hash = hasher.finalize() }

    /// The bucket of an address: a whole IPv4 address, or the first 64 bits of an IPv6 address, because a client
    /// usually controls a whole /64 network (RFC 6177). Unix sockets share one bucket.
    package init(_ address: PeerAddress) {
        var hasher = Hasher()
        switch address {
        case .ipv4(let address):
            hasher.combine(4)
            hasher.combine(address)
        case .ipv6(let network, _):
            hasher.combine(6)
            hasher.combine(network)
        case .unix:
            hasher.combine(0)
        }
        self.init(hasher)
    }
}

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
    package func peek(_ key: LimitKey, under limit: RateLimit, at now: Int64) -> RateLimitDecision {
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
