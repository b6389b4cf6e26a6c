import Synchronization
package import System

/// Reports each refused origin at most once a minute, and at most 16 origins a minute, because any client can send any
/// `Origin`.
package final class RefusedOriginLog: Sendable {
    private static let capacity = 16
    private static let period: Int64 = 60_000_000_000

    /// When each origin was reported.
    private let reported = Mutex<[String: MonotonicTime]>([:])
    private let write: @Sendable (_ origin: String, _ text: String) -> Void

    /// - Parameter write: writes one report to the diagnostics.
    package init(write: @escaping @Sendable (_ origin: String, _ text: String) -> Void) { self.write = write }

    /// Reports a refused origin, unless it or too many others were reported within the last minute.
    ///
    /// - Parameter text: why it was refused and how to allow it.
    package func report(_ origin: String, _ text: @autoclosure () -> String, at now: MonotonicTime) {
        let isDue = reported.withLock { reported in
            if let last = reported[origin], Self.isRecent(last, at: now) { return false }
            reported = reported.filter { Self.isRecent($0.value, at: now) }
            guard reported.count < Self.capacity else { return false }
            reported[origin] = now
            return true
        }
        if isDue { write(origin, text()) }
    }

    private static func isRecent(_ time: MonotonicTime, at now: MonotonicTime) -> Bool {
        now.nanoseconds - time.nanoseconds < period
    }
}
