/// A token bucket, stored as the time when it will be full (the "theoretical arrival time" of the generic cell rate
/// algorithm).
///
/// Taking a token moves that time forward by the time it takes to refill one token. Times are nanoseconds of a
/// monotonic clock and never negative.
struct TokenBucket: Sendable {
    /// A full bucket.
    static let full = TokenBucket(fullAt: 0)

    /// The time when the bucket will be full. A time in the past means a full bucket.
    private(set) var fullAt: Int64
    /// Whether the last token was charged while none was available.
    private var owesToken = false

    /// Returns the nanoseconds until the bucket is full: at most `limit.fillTime`, and one interval more if it owes a
    /// token.
    ///
    /// The bound matters after a reload with a limit that refills faster.
    func deficit(under limit: RateLimit, at now: Int64) -> Int64 {
        min(max(0, fullAt - now), limit.fillTime + (owesToken ? limit.interval : 0))
    }

    /// Returns the nanoseconds until a token is available, 0 if one is available now.
    func wait(under limit: RateLimit, at now: Int64) -> Int64 {
        max(0, deficit(under: limit, at: now) + limit.interval - limit.fillTime)
    }

    /// Takes a token if one is available.
    ///
    /// - Returns: the nanoseconds until a token is available, 0 if one was taken.
    mutating func take(under limit: RateLimit, at now: Int64) -> Int64 {
        let wait = wait(under: limit, at: now)
        guard wait == 0 else { return wait }
        removeToken(under: limit, at: now)
        return 0
    }

    /// Takes a token that a request needs beyond its first. If none is available, the bucket owes it, so the next
    /// `take` waits for two. It never owes more than one.
    mutating func charge(under limit: RateLimit, at now: Int64) {
        let isEmpty = wait(under: limit, at: now) > 0
        removeToken(under: limit, at: now)
        owesToken = isEmpty
    }

    private mutating func removeToken(under limit: RateLimit, at now: Int64) {
        let deficit = min(deficit(under: limit, at: now), limit.fillTime) + limit.interval
        let (sum, overflow) = now.addingReportingOverflow(deficit)
        fullAt = overflow ? .max : sum
        owesToken = false
    }
}
