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
