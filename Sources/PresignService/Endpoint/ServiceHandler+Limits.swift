import AccessRules
import HTTP1
import RateLimiting
import System

extension ServiceHandler {
    /// Counts one request of a caller, or one item of its batch; refuses it if the limit is used up.
    func admit(_ caller: Caller, _ record: inout RequestRecord) throws(Problem) {
        try enforce(
            service.limits.take(for: caller, from: record.client, under: snapshot.limits, at: record.started), &record)
    }

    /// Refuses a caller that has used up its limit before more of its request is received or decoded; counts nothing.
    func checkLimit(of caller: Caller, _ record: inout RequestRecord) throws(Problem) {
        try enforce(
            service.limits.look(at: caller, from: record.client, under: snapshot.limits, at: record.started), &record)
    }

    /// The limit of failed authentications of an address that has used it up; nil for any other address.
    func exhaustedFailures(from client: PeerAddress, _ record: borrowing RequestRecord) -> RateLimitStatus? {
        let status = service.limits.look(atFailuresFrom: client, under: snapshot.limits, at: record.started)
        return status?.decision.isAllowed == false ? status : nil
    }

    /// The refusal of credentials that prove nothing: the given problem, counted as a failure of the address; or 429 for
    /// an address that has used up its failures.
    func refusal(
        _ problem: Problem, from client: PeerAddress, _ exhausted: RateLimitStatus?, _ record: inout RequestRecord
    ) -> Problem {
        if let exhausted { return rateLimited(exhausted, &record) }
        service.limits.countFailure(from: client, under: snapshot.limits, at: record.started)
        return problem
    }

    private func enforce(_ status: RateLimitStatus?, _ record: inout RequestRecord) throws(Problem) {
        guard let status else { return }
        guard status.decision.isAllowed else { throw rateLimited(status, &record) }
        if snapshot.limits.showsHeaders { record.quota = status }
    }

    private func rateLimited(_ status: RateLimitStatus, _ record: inout RequestRecord) -> Problem {
        let isShown = snapshot.limits.showsHeaders
        if isShown { record.quota = status }
        shard.noteLimit(status.policy)
        return .rateLimited(status, isShown: isShown)
    }
}
