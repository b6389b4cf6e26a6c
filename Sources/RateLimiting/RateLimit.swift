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
