private import Synchronization
package import System

/// A wall clock and a monotonic clock that only the test advances.
package final class TestClock: Sendable {
    /// The time of the wall clock at first, 2027-01-15T08:00:00Z, in seconds since 1970.
    package static let start: Int64 = 1_800_000_000
    /// The time of the monotonic clock at first: an hour, as on a machine that has been running.
    package static let startOfUptime = MonotonicTime(nanoseconds: 3_600_000_000_000)

    private let elapsed = Mutex(Duration.zero)
    /// How far the wall clock is ahead of the time that has passed.
    private let offset = Mutex(Duration.zero)

    package init() {}

    /// The wall clock in seconds since 1970.
    package var seconds: Int64 { Self.start + (elapsed.withLock { $0 } + offset.withLock { $0 }).components.seconds }

    /// The monotonic clock.
    package var uptime: MonotonicTime { Self.startOfUptime + TimeSpan(elapsed.withLock { $0 }) }

    /// Advances both clocks.
    package func advance(by time: Duration) { elapsed.withLock { $0 += time } }

    /// Sets the wall clock ahead of the time that has passed, or behind it.
    package func setWallClock(ahead time: Duration) { offset.withLock { $0 = time } }
}
