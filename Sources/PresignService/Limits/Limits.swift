import AccessRules
import RateLimiting
import System

/// The token buckets of all rate limits. They outlive a configuration reload: it changes the limits but keeps what
/// callers have used, as `TokenBucket.deficit` describes.
///
/// Each authenticated caller has a bucket. Guests have one per address, and so do callers with anonymous tokens,
/// because anyone can get more of those. Failed authentications count per address.
final class Limits: Sendable {
    private let callers = RateLimiter()
    private let guests = RateLimiter()
    private let failures = RateLimiter()

    /// Takes a token for one request, or for one item of a batch.
    ///
    /// - Parameter client: the client's address.
    /// - Returns: nil if the caller has no limit.
    func take(
        for caller: Caller, from client: PeerAddress, under limits: LimitsConfiguration, at now: MonotonicTime
    ) -> RateLimitStatus? {
        status(of: caller, from: client, under: limits) { $0.take($1, under: $2, at: now.nanoseconds) }
    }

    /// Takes another token for a request that was allowed; see `TokenBucket.charge`.
    func charge(
        _ caller: Caller, from client: PeerAddress, under limits: LimitsConfiguration, at now: MonotonicTime
    ) -> RateLimitStatus? {
        status(of: caller, from: client, under: limits) { $0.charge($1, under: $2, at: now.nanoseconds) }
    }

    /// Returns what `take` would return, without taking a token.
    func look(
        at caller: Caller, from client: PeerAddress, under limits: LimitsConfiguration, at now: MonotonicTime
    ) -> RateLimitStatus? {
        status(of: caller, from: client, under: limits) { $0.look($1, under: $2, at: now.nanoseconds) }
    }

    private func status(
        of caller: Caller, from client: PeerAddress, under limits: LimitsConfiguration,
        _ use: (RateLimiter, LimitKey, RateLimit) -> RateLimitDecision
    ) -> RateLimitStatus? {
        caller.isGuest
            ? limits.perGuest.map { RateLimitStatus(.guest, $0, use(guests, LimitKey(caller, from: client), $0)) }
            : limits.perCaller.map { RateLimitStatus(.caller, $0, use(callers, LimitKey(caller, from: client), $0)) }
    }

    /// Returns how many failed authentications an address has left; nil without a limit.
    func look(
        atFailuresFrom client: PeerAddress, under limits: LimitsConfiguration, at now: MonotonicTime
    ) -> RateLimitStatus? {
        limits.failedAuthentications.map {
            RateLimitStatus(
                .failedAuthentications, $0, failures.look(LimitKey(client), under: $0, at: now.nanoseconds))
        }
    }

    /// Counts a failed authentication. Event loops that check the limit at the same time may each allow one more.
    func countFailure(from client: PeerAddress, under limits: LimitsConfiguration, at now: MonotonicTime) {
        guard let limit = limits.failedAuthentications else { return }
        _ = failures.take(LimitKey(client), under: limit, at: now.nanoseconds)
    }
}
