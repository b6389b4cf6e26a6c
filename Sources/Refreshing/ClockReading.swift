package import Presigning
import System

/// A reading of the wall clock and the monotonic clock.
///
/// Credentials expire by the wall clock, which can be set. The monotonic clock cannot, but it stops while a virtual
/// machine is suspended.
package struct ClockReading: Sendable, Equatable {
    /// The time of the wall clock.
    package var wall: SigningTime
    /// The time of the monotonic clock.
    package var uptime: Duration

    /// Creates a reading of both clocks.
    package init(wall: SigningTime, uptime: Duration) {
        self.wall = wall
        self.uptime = uptime
    }

    /// Returns the current time of both clocks.
    package static func now() -> ClockReading {
        ClockReading(
            wall: SigningTime(secondsSince1970: WallClock.seconds()),
            uptime: .nanoseconds(MonotonicTime.now().nanoseconds))
    }

    /// Returns the seconds since an earlier reading, by the clock that advanced more.
    ///
    /// This way, setting the wall clock back never delays a refresh.
    package func seconds(since earlier: ClockReading) -> Double {
        max(Double(earlier.wall.seconds(until: wall)), (uptime - earlier.uptime) / .seconds(1))
    }
}
