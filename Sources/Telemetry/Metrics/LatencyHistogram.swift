/// Durations, counted in buckets of fixed bounds: from a request that waits for nothing to the timeout of one that waits
/// for a storage.
package struct LatencyHistogram: Sendable {
    /// The inclusive upper bounds of all buckets but the last, which has none; nanoseconds.
    static let bounds = [
        50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000,
        100_000_000, 250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
    ]

    /// The durations in each bucket alone.
    package private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
    /// The sum of all durations.
    package private(set) var nanoseconds = 0

    /// A histogram of no durations.
    package init() {}

    /// Counts a duration.
    package mutating func note(nanoseconds duration: Int) {
        counts[Self.bounds.firstIndex { duration <= $0 } ?? Self.bounds.count] += 1
        nanoseconds &+= duration
    }

    /// Adds what another histogram has counted.
    package static func += (left: inout LatencyHistogram, right: LatencyHistogram) {
        for bucket in left.counts.indices { left.counts[bucket] += right.counts[bucket] }
        left.nanoseconds &+= right.nanoseconds
    }

    package var isEmpty: Bool { counts.allSatisfy { $0 == 0 } }
}
