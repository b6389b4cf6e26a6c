package import Presigning

/// The schedule for refreshing credentials: a pure state machine that receives clock readings and results.
///
/// Credentials are refreshed 15 minutes before they expire. If their lifetime is short, they are refreshed after half
/// of the time until only `minRemaining` is left. Failed refreshes are retried with exponential backoff from 1 to 60
/// seconds.
package struct RefreshSchedule: Sendable {
    /// How long before the expiration credentials are refreshed, in seconds, the same as botocore's advisory timeout.
    private static let lead: Double = 900
    /// The maximum time between two checks of the clocks while credentials have an expiration.
    static let checkInterval = Duration.seconds(10)

    private struct Lifetime {
        let start: ClockReading
        /// The seconds from `start` to the expiration.
        let length: Double
        let jitter: Double
    }

    private enum Next {
        /// A refresh is due now.
        case now
        /// The lifetime of the current credentials determines the next refresh.
        case beforeExpiration
        /// A retry after a failure is due at `uptime`.
        case retry(uptime: Duration)
        /// No refresh is scheduled.
        case never
    }

    private var lifetime: Lifetime?
    private var next = Next.now
    private var failures = 0

    /// Creates a schedule whose first refresh is due now.
    package init() {}

    /// Makes a refresh due now, for example because a file has changed.
    package mutating func refreshNow() { next = .now }

    /// Records a successful refresh.
    ///
    /// - Parameters:
    ///   - end: the expiration of the credentials. Without one, no further refresh is scheduled.
    ///   - jitter: a random number in 0..<1, so that many processes do not refresh at the same time.
    package mutating func succeeded(until end: SigningTime?, at now: ClockReading, jitter: Double) {
        failures = 0
        stored(until: end, at: now, jitter: jitter)
        next = lifetime == nil ? .never : .beforeExpiration
    }

    /// Records the expiration of credentials that are stored but expire within `minRemaining`.
    ///
    /// The caller also reports a failure.
    mutating func stored(until end: SigningTime?, at now: ClockReading, jitter: Double) {
        lifetime = end.map { Lifetime(start: now, length: Double(now.wall.seconds(until: $0)), jitter: jitter) }
    }

    /// Records a failed refresh.
    package mutating func failed(at now: ClockReading, jitter: Double) {
        failures += 1
        next = .retry(uptime: now.uptime + .seconds(RetryDelay.seconds(afterFailures: failures, jitter: jitter)))
    }

    /// Returns the time until the next refresh: zero or less if it is due, nil if none is scheduled.
    ///
    /// - Parameter minRemaining: the minimum remaining lifetime of usable credentials in seconds.
    package func timeToRefresh(at now: ClockReading, minRemaining: Int) -> Duration? {
        switch next {
        case .now: return .zero
        case .never: return nil
        case .retry(let uptime): return uptime - now.uptime
        case .beforeExpiration:
            guard let lifetime else { return nil }
            let usable = lifetime.length - Double(minRemaining)
            let delay = max(lifetime.length - max(Self.lead, Double(minRemaining)), usable / 2, 1)
            return .seconds(delay * (1 - lifetime.jitter / 10) - now.seconds(since: lifetime.start))
        }
    }

    /// Returns the time until the clocks must be checked again, or nil if no refresh is scheduled.
    package func timeToNextCheck(at now: ClockReading, minRemaining: Int) -> Duration? {
        guard let time = timeToRefresh(at: now, minRemaining: minRemaining) else { return nil }
        return max(.milliseconds(10), lifetime == nil ? time : min(time, Self.checkInterval))
    }

    /// Returns whether the current credentials have expired by the monotonic clock.
    package func haveExpired(at now: ClockReading) -> Bool {
        lifetime.map { (now.uptime - $0.start.uptime).seconds >= $0.length } ?? false
    }
}
