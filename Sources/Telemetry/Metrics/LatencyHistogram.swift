/// How long something took, in buckets of fixed bounds; counted by one thread at a time.
///
/// The bounds reach from what a request takes that waits for nothing to the time-out of one that waits for a storage.
package struct LatencyHistogram: ~Copyable, Sendable {
    /// The buckets' upper bounds (inclusive), in nanoseconds; behind the last one stands one without a bound.
    static let bounds = [
        50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000,
        100_000_000, 250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
    ]

    private let counts: InlineArray<18, Count>
    /// Nanoseconds in all.
    private let sum = Count()

    package init() {
        counts = InlineArray { _ in Count() }
    }

    /// Counts one that took so long.
    @inline(__always)
    package func note(nanoseconds: Int) {
        counts[Self.bucket(of: nanoseconds)].add()
        sum.add(nanoseconds)
    }

    /// Adds what it has counted.
    package func add(to total: inout LatencyTotal) {
        for bucket in counts.indices { total.counts[bucket] += counts[bucket].sum }
        total.nanoseconds &+= sum.sum
    }

    /// Most end at one of the first bounds.
    package static func bucket(of nanoseconds: Int) -> Int {
        switch nanoseconds {
        case ...50_000: 0
        case ...100_000: 1
        case ...250_000: 2
        case ...500_000: 3
        case ...1_000_000: 4
        case ...2_500_000: 5
        case ...5_000_000: 6
        case ...10_000_000: 7
        case ...25_000_000: 8
        case ...50_000_000: 9
        case ...100_000_000: 10
        case ...250_000_000: 11
        case ...500_000_000: 12
        case ...1_000_000_000: 13
        case ...2_500_000_000: 14
        case ...5_000_000_000: 15
        case ...10_000_000_000: 16
        default: 17
        }
    }
}

/// What several histograms have counted together.
package struct LatencyTotal {
    /// Of each bucket alone.
    package var counts = [Int](repeating: 0, count: LatencyHistogram.bounds.count + 1)
    package var nanoseconds = 0

    /// A total of no requests.
    package init() {}

    package var isEmpty: Bool { counts.allSatisfy { $0 == 0 } }
}
