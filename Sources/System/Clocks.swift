import CPlatform
import Glibc

/// A time on the monotonic clock, which never goes back. Used for deadlines.
package struct MonotonicTime: Sendable, Comparable {
    /// Nanoseconds since the clock's epoch, which is the same for all processes.
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The latest time.
    package static let distantFuture = MonotonicTime(nanoseconds: .max)

    /// Returns the current time.
    package static func now() -> MonotonicTime { MonotonicTime(nanoseconds: presign_monotonic_nanoseconds()) }

    package static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Returns the time in `duration` from now.
    package static func after(_ duration: Duration) -> MonotonicTime { now() + TimeSpan(duration) }

    /// Adds a time span. Saturates, so an extremely long timeout means no timeout.
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

/// A non-negative duration in nanoseconds, to add to a `MonotonicTime`.
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

/// The wall clock, for signatures, dates and log lines. Timeouts use `MonotonicTime`.
package enum WallClock {
    /// Returns whole seconds since 1970-01-01T00:00:00Z, without leap seconds.
    ///
    /// Reads the coarse clock, which lags by a few milliseconds at most and costs a fifth of the exact one.
    package static func seconds() -> Int64 {
        var time = timespec()
        // unsafe: the call writes the local structure. It cannot fail, because every Linux has the clock.
        _ = unsafe clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return Int64(time.tv_sec)
    }
}
