package import AccessRules
import RateLimiting
package import System

/// What callers have used of their limits. It lives as long as the process: a new configuration brings new numbers and
/// forgives nothing (but see `TokenBucket.deficit`).
///
/// Callers are told apart by how and as whom they were authenticated, guests (those with anonymous tokens too, of which
/// anybody can get more) by their address, and failed authentications are counted by address.
package struct Limits: ~Copyable, Sendable {
    private let keys = LimitKeySource()
    private let callers = LimitTable()
    private let guests = LimitTable()
    private let failures = LimitTable()

    /// Nothing is used yet.
    package init() {}

    /// Counts one request (or one item of a batch) of a caller.
    ///
    /// - Parameters:
    ///   - client: its address.
    ///   - counts: false to ask only.
    /// - Returns: nil when it has no limit.
    package func take(
        for caller: Caller, from client: PeerAddress, under limits: LimitsConfiguration, at now: MonotonicTime,
        counts: Bool = true
    ) -> QuotaUse? {
        let isGuest = caller.isGuest
        guard let limit = isGuest ? limits.perGuest : limits.perCaller else { return nil }
        let key = isGuest ? keys.key(for: client) : keys.key(for: caller)
        if isGuest {
            return QuotaUse(.guest, limit, guests.use(key, under: limit, at: now.nanoseconds, counts: counts))
        }
        return QuotaUse(.caller, limit, callers.use(key, under: limit, at: now.nanoseconds, counts: counts))
    }

    /// How an address stands to its limit of failed authentications. API keys and tokens verified before pass whatever it
    /// says: many callers may share the address of a proxy.
    ///
    /// - Returns: nil when there is no limit, or nobody has used any of it.
    func look(
        atFailuresFrom client: PeerAddress, under limits: LimitsConfiguration, at now: MonotonicTime
    ) -> QuotaUse? {
        guard let limit = limits.failedAuthentications, !failures.isUntouched(at: now.nanoseconds) else { return nil }
        return QuotaUse(
            .failedAuthentications, limit, failures.look(keys.key(for: client), under: limit, at: now.nanoseconds))
    }

    /// Counts credentials that proved nothing. Loops that look at the same moment may each let one more pass.
    func countFailure(from client: PeerAddress, under limits: LimitsConfiguration, at now: MonotonicTime) {
        guard let limit = limits.failedAuthentications else { return }
        _ = failures.take(keys.key(for: client), under: limit, at: now.nanoseconds)
    }
}
