import AccessRules
import HTTP1
import Presigning
import System

/// The results of the stages of one presign request; nil for each stage that was not reached.
final class PresignOutcome {
    /// The caller's rate limit; nil if it has none.
    fileprivate(set) var rateLimit: RateLimitStatus?
    /// The decoded fields.
    fileprivate(set) var fields: PresignFields?
    /// The request that the rules decide.
    fileprivate(set) var request: AccessRequest?
    fileprivate(set) var store: Store?
    fileprivate(set) var decision: AccessDecision?
    fileprivate(set) var result: Result<PresignedObject, Refusal> = .failure(.forbidden)
}

extension Endpoint {
    /// Runs limit → decode → authorize → sign; the same for a single request, a link, and an item of a batch.
    ///
    /// - Parameters:
    ///   - client: the client's address, for the rate limit of guests.
    ///   - time: the wall clock, from which the URL is valid.
    ///   - now: the monotonic clock, for the rate limit.
    func outcome(
        of source: PresignSource, for caller: Caller, from client: PeerAddress, at time: SigningTime,
        _ now: MonotonicTime, using presigner: inout Presigner
    ) -> PresignOutcome {
        let outcome = PresignOutcome()
        do throws(Refusal) {
            outcome.rateLimit = try limit(caller, from: client, at: now)
            let fields = try decode(source)
            outcome.fields = fields
            let plan = try plan(fields)
            let request = plan.accessRequest(of: caller, fields)
            outcome.request = request
            let store = try store(request.store, for: source)
            outcome.store = store
            let decision = snapshot.policy.decision(for: request)
            outcome.decision = decision
            let allowance = try allowance(decision, request)
            outcome.result = .success(
                try sign(plan, fields, allowance, for: store, at: time, using: &presigner))
        } catch {
            outcome.result = .failure(error)
        }
        return outcome
    }
}
