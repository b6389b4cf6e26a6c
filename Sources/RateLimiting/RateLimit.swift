/// A rate and a burst: so many requests in a period, and so many at once.
package struct RateLimit: Sendable, Equatable {
    /// The tokens that come back in a period; 1...1,000,000.
    package let count: Int
    /// The period in seconds: 1, 60 or 3600.
    package let period: Int
    /// The tokens of a full bucket; 1...1,000,000.
    package let burst: Int
    /// Nanoseconds until one token comes back, rounded down.
    package let interval: Int64
    /// Nanoseconds until an empty bucket is full.
    let fillTime: Int64

    /// An empty bucket must be full again within this many seconds: 30 days.
    package static let longestFill = 30 * 86_400

    /// - Parameter burst: the tokens of a full bucket; nil: as many as come back in a period.
    /// - Returns: nil if a number is out of its range, or if an empty bucket would need longer than `longestFill`.
    package init?(count: Int, period: Int, burst: Int? = nil) {
        let range = 1...1_000_000
        let burst = burst ?? count
        guard range.contains(count), range.contains(burst), [1, 60, 3600].contains(period) else { return nil }
        self.count = count
        self.period = period
        self.burst = burst
        interval = Int64(period) * 1_000_000_000 / Int64(count)
        fillTime = interval * Int64(burst)
        guard fillTime <= Int64(Self.longestFill) * 1_000_000_000 else { return nil }
    }
}
