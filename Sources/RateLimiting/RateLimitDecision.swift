/// Whether a request was within its limit, and how much of the limit is left.
package struct RateLimitDecision: Sendable, Equatable {
    /// Nanoseconds until there is a token; 0 if there was one.
    package let wait: Int64
    /// Nanoseconds until the bucket is full.
    let deficit: Int64

    /// Whether there was a token.
    package var isAllowed: Bool { wait == 0 }
    /// For `Retry-After`: whole seconds, rounded up, at least 1.
    package var retryAfter: Int { max(1, Self.seconds(wait)) }
    /// Whole seconds until the bucket is full, rounded up.
    package var reset: Int { Self.seconds(deficit) }

    /// The tokens that are left.
    package func remaining(under limit: RateLimit) -> Int { Int((limit.fillTime - deficit) / limit.interval) }

    private static func seconds(_ nanoseconds: Int64) -> Int { Int((nanoseconds + 999_999_999) / 1_000_000_000) }
}
