import Foundation

/// When to repeat a request, and how long to wait before: the rules of presign.js.
struct RetrySchedule: Sendable {
    /// The delay before the second attempt. It doubles with each further attempt.
    private static let firstDelay: TimeInterval = 0.3
    /// The maximum delay, unless Retry-After asks for more.
    private static let maxDelay: TimeInterval = 20
    /// The maximum delay after more than the default number of retries.
    private static let maxLongDelay: TimeInterval = 60
    /// The maximum Retry-After. Requests with a longer one are not repeated.
    private static let maxRetryAfter: TimeInterval = 60
    /// The maximum number of retries with a server that has not succeeded yet: its address may be wrong.
    private static let firstRetries = 3
    /// The default number of retries with a server that has succeeded before: a minute of interruption.
    private static let defaultRetries = 8

    /// The caller's limit; nil for the default.
    let retries: Int?
    private var attempt = 0

    init(retries: Int?) {
        self.retries = retries
    }

    /// Returns the seconds to wait before the next attempt, or nil if there must not be one.
    ///
    /// - Parameters:
    ///   - isReached: Whether the server has succeeded before.
    ///   - isPersistent: Whether to repeat the request without a limit while the server is unreachable.
    ///   - jitter: 0.5 to 1.5. It prevents clients that failed at the same time from retrying at the same time.
    mutating func delay(
        after failure: StorageFailure, isReached: Bool, isPersistent: Bool, jitter: Double
    ) -> TimeInterval? {
        attempt += 1
        let most = retries ?? (isPersistent && failure.isUnreachable ? .max : Self.defaultRetries)
        let limit = isReached ? most : min(most, Self.firstRetries)
        let retryAfter = failure.retryAfter ?? 0
        guard failure.isRetryable, attempt <= limit, retryAfter <= Self.maxRetryAfter else { return nil }
        let longest = attempt > Self.defaultRetries ? Self.maxLongDelay : Self.maxDelay
        let backoff = min(longest, Self.firstDelay * pow(2, Double(attempt - 1))) * jitter
        return max(retryAfter, backoff)
    }
}
