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

    /// Returns the seconds since an earlier reading, by the clock that advanced more.
    ///
    /// This way, setting the wall clock back never delays a refresh.
    package func seconds(since earlier: ClockReading) -> Double {
        max(Double(earlier.wall.seconds(until: wall)), (uptime - earlier.uptime).seconds)
    }
}

extension Duration {
    /// The duration in seconds.
    package var seconds: Double { self / .seconds(1) }
}

/// The pause before the next attempt after failures.
package enum RetryDelay {
    /// Returns 1, 2, 4, ... at most 60 seconds, shortened by up to 10 %.
    ///
    /// - Parameters:
    ///   - failures: the number of failures in a row, at least 1.
    ///   - jitter: a random number in 0..<1, so that many processes do not retry at the same time.
    package static func seconds(afterFailures failures: Int, jitter: Double) -> Double {
        min(60, Double(1 << min(failures - 1, 6))) * (1 - jitter / 10)
    }
}
