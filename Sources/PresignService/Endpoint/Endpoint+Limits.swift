import AccessRules
import RateLimiting
import System

extension Endpoint {
    /// The limit stage: counts one request, or one item of a batch, against the caller's rate limit.
    ///
    /// - Parameters:
    ///   - client: the client's address, for guests.
    ///   - now: the monotonic clock.
    ///   - counts: false to check the limit without counting, before more of the request is received or decoded.
    /// - Returns: the caller's rate limit; nil if it has none.
    func limit(
        _ caller: Caller, from client: PeerAddress, at now: MonotonicTime, counts: Bool = true
    ) throws(Refusal) -> RateLimitStatus? {
        let limits = snapshot.limits
        let status =
            counts
            ? service.limits.take(for: caller, from: client, under: limits, at: now)
            : service.limits.look(at: caller, from: client, under: limits, at: now)
        if let status, !status.decision.isAllowed { throw rateLimited(status) }
        return status
    }

    /// Counts a request once more for its existence check, which is a second signed request. It does not refuse the
    /// request; the caller's next one waits longer.
    ///
    /// - Returns: the caller's rate limit; nil if it has none.
    func countCheck(for caller: Caller, from client: PeerAddress, at now: MonotonicTime) -> RateLimitStatus? {
        service.limits.charge(caller, from: client, under: snapshot.limits, at: now)
    }

    /// Returns the exhausted limit of failed authentications of an address; nil if the address has attempts left.
    func exhaustedFailures(from client: PeerAddress, at now: MonotonicTime) -> RateLimitStatus? {
        let status = service.limits.look(atFailuresFrom: client, under: snapshot.limits, at: now)
        return status?.decision.isAllowed == false ? status : nil
    }

    /// Returns a 429 refusal.
    func rateLimited(_ status: RateLimitStatus, _ reason: String? = nil) -> Refusal {
        Refusal(.rateLimited(status, isShown: snapshot.limits.showsHeaders), reason, rateLimit: status)
    }
}
