import System

/// The time by which a whole exchange must be complete.
package struct Deadline: Sendable {
    private let nanoseconds: Int64

    /// - Parameter duration: from now on.
    package init(after duration: Duration) {
        let (seconds, attoseconds) = duration.components
        nanoseconds = MonotonicTime.now().nanoseconds + seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    private init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Divides the remaining time into equal parts and returns the end of the first.
    func share(of count: Int) -> Deadline {
        let now = MonotonicTime.now().nanoseconds
        return Deadline(nanoseconds: now + (nanoseconds - now) / Int64(max(1, count)))
    }

    /// The same time on `ContinuousClock`.
    var instant: ContinuousClock.Instant { .now + .milliseconds(Int(millisecondsLeft)) }

    /// The remaining milliseconds, rounded up; 0 once the deadline has passed.
    package var millisecondsLeft: Int32 {
        let left = nanoseconds - MonotonicTime.now().nanoseconds
        return left <= 0 ? 0 : Int32(min((left - 1) / 1_000_000 + 1, Int64(Int32.max)))
    }
}
