import CPlatform
import Glibc

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
