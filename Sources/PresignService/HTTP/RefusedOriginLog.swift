import HTTP1
import Synchronization
import System

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
    func report(_ refusal: OriginRefusal, at now: MonotonicTime) {
        let isDue = reported.withLock { reported in
            if let last = reported[refusal.origin], Self.isRecent(last, at: now) { return false }
            reported = reported.filter { Self.isRecent($0.value, at: now) }
            guard reported.count < Self.capacity else { return false }
            reported[refusal.origin] = now
            return true
        }
        if isDue { write(refusal.origin, "\(refusal.detail). \(refusal.recoverySuggestion)") }
    }

    private static func isRecent(_ time: MonotonicTime, at now: MonotonicTime) -> Bool {
        now.nanoseconds - time.nanoseconds < period
    }
}
