import System

/// The moment by which all of an exchange must be over.
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

    /// The end of the first of so many equal parts of what is left.
    func share(of count: Int) -> Deadline {
        let now = MonotonicTime.now().nanoseconds
        return Deadline(nanoseconds: now + (nanoseconds - now) / Int64(max(1, count)))
    }

    /// The same moment by the clock of whoever asks for one.
    var instant: ContinuousClock.Instant { .now + .milliseconds(Int(millisecondsLeft)) }

    /// What is left in milliseconds, rounded up; 0 when it is over.
    package var millisecondsLeft: Int32 {
        let left = nanoseconds - MonotonicTime.now().nanoseconds
        return left <= 0 ? 0 : Int32(min((left - 1) / 1_000_000 + 1, Int64(Int32.max)))
    }
}
