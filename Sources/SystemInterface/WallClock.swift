import Glibc

/// The wall clock, for signing, dates and log lines; time-outs take `ContinuousClock`.
public enum WallClock {
    /// A moment: seconds since 1970-01-01T00:00:00Z and the nanoseconds within that second (0 ..< 10⁹).
    public struct Moment: Sendable, Equatable {
        public let seconds: Int64
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
