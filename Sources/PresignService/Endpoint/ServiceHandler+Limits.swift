import AccessRules
import HTTP1
import RateLimiting
import System

extension ServiceHandler {
    /// Counts one request of a caller, or one item of its batch; refused when its limit is used up.
    func admit(_ caller: Caller, _ record: inout RequestRecord) throws(Problem) {
        let use = service.limits.take(for: caller, from: record.client, under: snapshot.limits, at: record.started)
        if let use { try admit(use, &record) }
    }

    /// Refuses a caller that has used up its limit before more of its request is received or decoded; counts nothing.
    func checkLimit(of caller: Caller, _ record: inout RequestRecord) throws(Problem) {
        let use = service.limits.take(
            for: caller, from: record.client, under: snapshot.limits, at: record.started, counts: false)
        if let use { try admit(use, &record) }
    }

    /// The limit of failures of an address that has used it up; nil for any other address.
    func exhaustedFailures(from client: PeerAddress, _ record: borrowing RequestRecord) -> QuotaUse? {
        let use = service.limits.look(atFailuresFrom: client, under: snapshot.limits, at: record.started)
        return use.flatMap { $0.use.isAllowed ? nil : $0 }
    }

    /// The refusal of credentials that proved nothing: the given problem, counted as a failure of the address; or 429 from
    /// an address that had used up its failures.
    func refusal(
        _ problem: Problem, from client: PeerAddress, _ exhausted: QuotaUse?, _ record: inout RequestRecord
    ) -> Problem {
        if let exhausted { return limited(exhausted, &record) }
        service.limits.countFailure(from: client, under: snapshot.limits, at: record.started)
        return problem
    }

    private func admit(_ use: QuotaUse, _ record: inout RequestRecord) throws(Problem) {
        guard use.use.isAllowed else { throw limited(use, &record) }
        if snapshot.limits.showsHeaders { record.quota = use }
    }

    private func limited(_ use: QuotaUse, _ record: inout RequestRecord) -> Problem {
        let isShown = snapshot.limits.showsHeaders
        if isShown { record.quota = use }
        shard.noteLimit(use.policy)
        return .rateLimited(use, isShown: isShown)
    }
}
