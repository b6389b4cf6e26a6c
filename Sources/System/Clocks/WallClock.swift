import CPlatform
import Glibc

/// The wall clock, for signing, dates and log lines; time-outs take a monotonic one.
package enum WallClock {
    /// Whole seconds since 1970-01-01T00:00:00Z, leap seconds left out.
    ///
    /// The coarse clock is a few milliseconds late at most, and five times cheaper to read than the exact one.
    package static func seconds() -> Int64 {
        var time = timespec()
        // Cannot fail: the clock exists on every Linux and the pointer is ours.
        _ = unsafe clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return Int64(time.tv_sec)
    }
}
