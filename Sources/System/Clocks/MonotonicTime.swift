private import CPlatform

/// A point on the monotonic clock, which no one sets back. Deadlines are kept in it; tests make it up.
package struct MonotonicTime: Sendable, Comparable {
    /// Since some start that is the same for the whole system.
    package let nanoseconds: Int64

    /// A point of time, in nanoseconds since the clock's start.
    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Later than all others.
    package static let distantFuture = MonotonicTime(nanoseconds: .max)

    /// The clock's reading.
    package static func now() -> MonotonicTime { MonotonicTime(nanoseconds: presign_monotonic_nanoseconds()) }

    /// Earlier is less.
    package static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Saturates, so that an absurdly long time-out means none.
    package static func + (time: MonotonicTime, span: TimeSpan) -> MonotonicTime {
        let (sum, overflow) = time.nanoseconds.addingReportingOverflow(span.nanoseconds)
        return overflow ? .distantFuture : MonotonicTime(nanoseconds: sum)
    }

    /// Whole milliseconds from `now` until this time, rounded up, at most 10 minutes; -1 for the distant future.
    package func milliseconds(from now: MonotonicTime) -> Int32 {
        guard self != .distantFuture else { return -1 }
        guard self > now else { return 0 }
        return Int32(min((nanoseconds - now.nanoseconds - 1) / 1_000_000 + 1, 600_000))
    }
}

/// A `Duration` in a form that adds in one instruction.
package struct TimeSpan: Sendable {
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = max(0, nanoseconds) }

    package init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowed) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        nanoseconds = overflow || overflowed ? (seconds < 0 ? 0 : .max) : max(0, sum)
    }
}
