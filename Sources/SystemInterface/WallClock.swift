import Glibc

/// The wall clock, for signing, dates and log lines; time-outs take `ContinuousClock`.
public enum WallClock {
    /// A moment.
    public struct Moment: Sendable, Equatable {
        /// Seconds since 1970-01-01T00:00:00Z, leap seconds left out.
        public let seconds: Int64
        /// 0 ..< 10⁹.
        public let nanoseconds: Int64
    }

    /// Now, by `CLOCK_REALTIME`.
    public static func now() -> Moment {
        var time = timespec()
        // Cannot fail: the clock exists on every Linux and the pointer is ours.
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Moment(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
    }
}
