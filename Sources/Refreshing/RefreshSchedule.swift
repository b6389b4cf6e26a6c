package import Presigning
import System

/// When to refresh a value, and how long to use it: a pure state machine that receives clock readings and results. The
/// first refresh is due at once.
///
/// Failed refreshes are retried after 1, 2, 4, ... at most 60 seconds. All delays are shortened by up to 10 %, so that
/// many processes do not refresh at the same time.
package struct RefreshSchedule: Sendable {
    /// How long a value is used, in seconds after it was fetched.
    package struct Lifetime: Sendable {
        /// The age at which it is refreshed, by the clock that advanced more.
        let refreshAge: Double
        /// The age at which it is discarded.
        let length: Double
        /// Whether the wall clock can end it early. If not, the monotonic clock alone decides.
        let endsByWallClock: Bool

        package init(refreshAge: Double, length: Double, endsByWallClock: Bool) {
            (self.refreshAge, self.length, self.endsByWallClock) = (refreshAge, length, endsByWallClock)
        }
    }

    /// The maximum time between two checks of the clocks, which can be set, while a value has a lifetime.
    static let checkInterval = Duration.seconds(10)

    private var current: (fetched: ClockReading, lifetime: Lifetime, jitter: Double)?
    /// When the last refresh began.
    package private(set) var lastAttempt: ClockReading?
    /// The uptime of the next attempt after a failure.
    private var retry: Duration?
    /// The number of failed refreshes since the last success.
    package private(set) var failures = 0
    /// Whether a refresh is in progress.
    package private(set) var isRefreshing = false
    /// The seconds after the last attempt at which an early refresh is due.
    private var wanted: Double?

    /// Makes a refresh due when the last one is this many seconds ago.
    package mutating func want(after interval: Double) { wanted = min(wanted ?? interval, interval) }

    /// Records the start of a refresh.
    package mutating func began(at now: ClockReading) { (lastAttempt, isRefreshing, wanted) = (now, true, nil) }

    /// Records a successful refresh.
    ///
    /// - Parameters:
    ///   - lifetime: Without one, no further refresh is scheduled.
    ///   - jitter: A random number in 0..<1.
    package mutating func succeeded(_ lifetime: Lifetime?, at now: ClockReading, jitter: Double) {
        current = lifetime.map { (now, $0, jitter) }
        (isRefreshing, failures, retry) = (false, 0, nil)
    }

    /// Records a failed refresh.
    ///
    /// - Parameters:
    ///   - lifetime: That of a fetched value which is used although it does not suffice; nil keeps the current one.
    ///   - jitter: A random number in 0..<1.
    package mutating func failed(storing lifetime: Lifetime? = nil, at now: ClockReading, jitter: Double) {
        if let lifetime { current = (now, lifetime, jitter) }
        (isRefreshing, failures) = (false, failures + 1)
        retry = now.uptime + .seconds(min(60, Double(1 << min(failures - 1, 6))) * (1 - jitter / 10))
    }

    /// Returns the age of the current value in seconds; nil if it has no lifetime.
    package func age(at now: ClockReading) -> Double? { current.map { now.seconds(since: $0.fetched) } }

    /// Returns the seconds until the next refresh: zero or less if it is due, nil if none is scheduled.
    package func secondsToRefresh(at now: ClockReading) -> Double? {
        guard let lastAttempt else { return 0 }
        var due = current.map { $0.lifetime.refreshAge * (1 - $0.jitter / 10) - now.seconds(since: $0.fetched) }
        if let retry { due = (retry - now.uptime) / .seconds(1) }
        guard let wanted else { return due }
        return min(due ?? .infinity, wanted - now.seconds(since: lastAttempt))
    }

    /// Returns after how many seconds a new value can be expected, at least 1; nil if no refresh is scheduled.
    package func secondsToValue(at now: ClockReading) -> Int? {
        isRefreshing ? 1 : secondsToRefresh(at: now).map { max(1, Int($0) + 1) }
    }

    /// Returns the time until the clocks must be checked again; nil if no refresh is scheduled.
    package func timeToNextCheck(at now: ClockReading) -> Duration? {
        guard let seconds = secondsToRefresh(at: now) else { return nil }
        let time = max(.milliseconds(10), Duration.seconds(seconds))
        return current == nil ? time : min(time, Self.checkInterval)
    }

    /// Whether the current value is too old to be used.
    package func hasEnded(at now: ClockReading) -> Bool {
        guard let (fetched, lifetime, _) = current else { return false }
        let age = lifetime.endsByWallClock ? now.seconds(since: fetched) : (now.uptime - fetched.uptime) / .seconds(1)
        return age >= lifetime.length
    }
}

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
