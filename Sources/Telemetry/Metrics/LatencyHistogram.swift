/// A histogram of durations with fixed bounds, from 50 µs (a request without I/O) to 10 s (a storage timeout).
package struct LatencyHistogram: Sendable {
    /// The inclusive upper bounds of the buckets in nanoseconds. The last bucket has none.
    static let bounds = [
        50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000,
        100_000_000, 250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
    ]

    /// The number of durations in each bucket, not cumulative.
    package private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
    /// The sum of all durations in nanoseconds.
    package private(set) var nanoseconds = 0

    /// Creates an empty histogram.
    package init() {}

    /// Counts a duration.
    package mutating func note(nanoseconds duration: Int) {
        counts[Self.bounds.firstIndex { duration <= $0 } ?? Self.bounds.count] += 1
        nanoseconds &+= duration
    }

    /// Adds the counts and the sum of another histogram.
    package static func += (left: inout LatencyHistogram, right: LatencyHistogram) {
        for bucket in left.counts.indices { left.counts[bucket] += right.counts[bucket] }
        left.nanoseconds &+= right.nanoseconds
    }

    package var isEmpty: Bool { counts.allSatisfy { $0 == 0 } }
}
