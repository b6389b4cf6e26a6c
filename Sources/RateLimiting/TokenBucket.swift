/// A bucket of tokens as one number: the time at which it is full again (the generic cell rate algorithm's "theoretical
/// arrival time"). Taking a token postpones that time by the time one token needs to come back.
///
/// Times are nanoseconds of a clock that is never set back, and never negative.
struct TokenBucket: Sendable {
    /// A bucket that was never used.
    static let full = TokenBucket(fullAt: 0)

    /// The time at which the bucket is full again. A full bucket is the same as one that was never used.
    private(set) var fullAt: Int64

    /// Nanoseconds until the bucket is full, at most the time an empty one takes: if a new configuration lets buckets fill
    /// sooner, the rest is forgiven.
    func deficit(under limit: RateLimit, at now: Int64) -> Int64 {
        min(max(0, fullAt - now), limit.fillTime)
    }

    /// Nanoseconds until there is a token; 0 if there is one.
    func wait(under limit: RateLimit, at now: Int64) -> Int64 {
        max(0, deficit(under: limit, at: now) + limit.interval - limit.fillTime)
    }

    /// Takes a token if there is one. A refusal costs nothing.
    ///
    /// - Returns: nanoseconds until there is a token; 0 if one was taken.
    mutating func take(under limit: RateLimit, at now: Int64) -> Int64 {
        let wait = wait(under: limit, at: now)
        guard wait == 0 else { return wait }
        let (sum, overflow) = now.addingReportingOverflow(deficit(under: limit, at: now) + limit.interval)
        fullAt = overflow ? .max : sum
        return 0
    }
}
