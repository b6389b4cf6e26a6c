import Presigning

/// When to fetch an issuer's keys, and how long to use them: a pure state machine that receives clock readings and
/// results.
///
/// A set is fetched again after 80 % of the time that `Cache-Control` allows, at least 5 minutes and at most 6 hours.
/// Failed fetches are retried after `RetryDelay`; meanwhile the last set stays in use until it is too old. A token with
/// an unknown key id makes one more fetch due, unless the last one is less than 30 seconds ago.
struct IssuerKeySchedule: Sendable {
    /// The bounds, in seconds, of the time that `Cache-Control` allows.
    static let lifetimes = 300.0...21_600
    /// The time in seconds that a set is used if the server does not say how long it may be cached.
    static let standardLifetime = 3600.0
    /// The minimum time in seconds between a fetch and the next one for an unknown key id.
    static let unknownKeyInterval = 30.0
    /// The maximum time between two checks of the clocks, which can be set.
    static let checkInterval = Duration.seconds(60)

    /// The time of the current set; nil without one.
    private(set) var fetched: ClockReading?
    /// The age in seconds at which the current set is fetched again.
    private var refreshAge = 0.0
    /// When the last fetch began.
    private(set) var lastAttempt: ClockReading?
    private var retryDelay = 0.0
    /// The number of failed fetches since the last success.
    private(set) var failures = 0
    private var isFetching = false
    /// Whether a token has a key id that the set lacks.
    private var isWanted = false

    /// The age in seconds at which a set is discarded.
    private let maxStale: Double

    /// Creates a schedule whose first fetch is due now.
    ///
    /// - Parameter maxStale: The age in seconds at which a set is discarded.
    init(maxStale: Int) { self.maxStale = Double(maxStale) }

    /// Returns the seconds until the next fetch; zero or less if it is due.
    func secondsToFetch(at now: ClockReading) -> Double {
        guard let lastAttempt else { return 0 }
        let sinceAttempt = now.seconds(since: lastAttempt)
        let due =
            if failures == 0, let fetched {
                refreshAge - now.seconds(since: fetched)
            } else {
                retryDelay - sinceAttempt
            }
        return isWanted ? min(due, Self.unknownKeyInterval - sinceAttempt) : due
    }

    /// Records the start of a fetch.
    mutating func began(at now: ClockReading) {
        lastAttempt = now
        (isFetching, isWanted) = (true, false)
    }

    /// Records a successful fetch.
    ///
    /// - Parameters:
    ///   - freshFor: How many seconds the server allows to cache the set; nil if it does not say.
    ///   - now: The time of the response.
    ///   - jitter: A random number in 0..<1, so that many processes do not fetch at the same time.
    mutating func succeeded(freshFor: Int?, at now: ClockReading, jitter: Double) {
        isFetching = false
        failures = 0
        fetched = now
        let allowed = freshFor.map(Double.init) ?? Self.standardLifetime
        let lifetime = min(max(allowed, Self.lifetimes.lowerBound), Self.lifetimes.upperBound, maxStale / 2)
        refreshAge = lifetime * 0.8 * (1 - jitter / 10)
    }

    /// Records a failed fetch.
    mutating func failed(at now: ClockReading, jitter: Double) {
        isFetching = false
        failures += 1
        retryDelay = RetryDelay.seconds(afterFailures: failures, jitter: jitter)
    }

    /// Whether the current set is too old, by the clock that advanced more.
    func isTooOld(at now: ClockReading) -> Bool {
        fetched.map { now.seconds(since: $0) >= maxStale } ?? false
    }

    /// Decides about a token with a key id that the current set lacks, and makes a fetch due if that can help.
    ///
    /// - Parameter mayWait: Whether the token may wait for the next fetch although the set is new; see `MissedKeys`.
    /// - Returns: After how many seconds the token should be sent again; nil if it is refused for good.
    mutating func missedKey(at now: ClockReading, mayWait: Bool) -> Int? {
        if !isFetching {
            if !mayWait, failures == 0, let fetched, now.seconds(since: fetched) < Self.unknownKeyInterval {
                return nil
            }
            isWanted = true
        }
        return secondsToKeys(at: now)
    }

    /// After how many seconds new keys can be expected, at least 1.
    func secondsToKeys(at now: ClockReading) -> Int {
        isFetching ? 1 : max(1, Int(secondsToFetch(at: now)) + 1)
    }

    /// Returns the time until the clocks must be checked again.
    func timeToNextCheck(at now: ClockReading) -> Duration {
        min(max(.milliseconds(10), .seconds(secondsToFetch(at: now))), Self.checkInterval)
    }
}
