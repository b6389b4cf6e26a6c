import AccessRules
import HTTP1
import Presigning

/// The results of the stages of one presign request; nil for each stage that was not reached.
struct PresignOutcome: Sendable {
    /// The caller's rate limit; nil if it has none.
    var rateLimit: RateLimitStatus?
    /// The decoded fields.
    var fields: PresignFields?
    /// The request that the rules decide.
    var request: AccessRequest?
    var store: Store?
    var decision: AccessDecision?
    var result: Result<PresignedObject, Refusal>
}

extension Endpoint {
    /// Runs limit → decode → authorize → sign; the same for a single request, a link, and an item of a batch.
    ///
    /// - Parameter record: the request's record.
    func outcome(
        of source: PresignSource, for caller: Caller, _ record: RequestRecord, at time: SigningTime,
        using presigner: inout Presigner
    ) -> PresignOutcome {
        var outcome = PresignOutcome(result: .failure(Refusal(.forbidden)))
        do throws(Refusal) {
            outcome.rateLimit = try limit(caller, record)
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
