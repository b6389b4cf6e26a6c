/// A bucket of tokens as one number: the time at which it is full again (the generic cell rate algorithm's "theoretical
/// arrival time"). Whoever takes a token puts that time off by the time one token needs to come back.
///
/// Times are nanoseconds of a clock that is never set back, and never negative.
struct TokenBucket: Sendable {
    /// Full ever since it could have been used.
    static let full = TokenBucket(fullAt: 0)

    /// When it is full again; in the past it carries no state.
    private(set) var fullAt: Int64

    /// How long it takes until it is full.
    ///
    /// Never longer than an empty one takes: where a limit was changed to one that fills sooner, the rest is forgiven.
    func deficit(under limit: RateLimit, at now: Int64) -> Int64 {
        min(max(0, fullAt - now), limit.fillTime)
    }

    /// How long to wait for a token; 0 when there is one.
    func wait(under limit: RateLimit, at now: Int64) -> Int64 {
        max(0, deficit(under: limit, at: now) + limit.interval - limit.fillTime)
    }

    /// Takes a token if there is one; what is refused costs nothing.
    ///
    /// - Returns: how long to wait for a token; 0 when one was taken.
    mutating func take(under limit: RateLimit, at now: Int64) -> Int64 {
        let wait = wait(under: limit, at: now)
        guard wait == 0 else { return wait }
        let (sum, overflow) = now.addingReportingOverflow(deficit(under: limit, at: now) + limit.interval)
        fullAt = overflow ? .max : sum
        return 0
    }
}
