import AccessRules
import RateLimiting
import System

extension Endpoint {
    /// The limit stage: counts one request of a caller, or one item of its batch.
    ///
    /// - Parameters:
    ///   - record: of the request.
    ///   - counts: false to refuse only, before more of a request is received or decoded.
    /// - Returns: how the caller stands to its limit; nil without one.
    func limit(_ caller: Caller, _ record: RequestRecord, counts: Bool = true) throws(Refusal) -> RateLimitStatus? {
        let (client, limits, now) = (record.client, snapshot.limits, record.started)
        let status =
            counts
            ? service.limits.take(for: caller, from: client, under: limits, at: now)
            : service.limits.look(at: caller, from: client, under: limits, at: now)
        if let status, !status.decision.isAllowed { throw rateLimited(status) }
        return status
    }

    /// The limit of failed authentications of an address that has used it up; nil for any other address.
    func exhaustedFailures(from client: PeerAddress, at now: MonotonicTime) -> RateLimitStatus? {
        let status = service.limits.look(atFailuresFrom: client, under: snapshot.limits, at: now)
        return status?.decision.isAllowed == false ? status : nil
    }

    /// 429.
    func rateLimited(_ status: RateLimitStatus, _ reason: String? = nil) -> Refusal {
        Refusal(.rateLimited(status, isShown: snapshot.limits.showsHeaders), reason, rateLimit: status)
    }
}
