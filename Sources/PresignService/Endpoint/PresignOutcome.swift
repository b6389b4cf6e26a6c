import AccessRules
import HTTP1
import Presigning
import System

/// The outcome of one presign request.
struct PresignOutcome {
    /// What the stages found out, whether or not they refused the request.
    let stages: PresignStages
    let result: Result<PresignedObject, Refusal>
}

/// The results of the stages of one presign request; nil for each stage that was not reached.
final class PresignStages {
    /// The caller's rate limit; nil if it has none.
    fileprivate(set) var rateLimit: RateLimitStatus?
    /// The decoded fields.
    fileprivate(set) var fields: PresignFields?
    /// The request that the rules decide.
    fileprivate(set) var request: AccessRequest?
    fileprivate(set) var store: Store?
    fileprivate(set) var decision: AccessDecision?
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
        let stages = PresignStages()
        do throws(Refusal) {
            stages.rateLimit = try limit(caller, from: client, at: now)
            let fields = try decode(source)
            stages.fields = fields
            let plan = try plan(fields)
            let request = plan.accessRequest(of: caller, fields)
            stages.request = request
            let store = try store(request.store, for: source)
            stages.store = store
            let decision = snapshot.policy.decision(for: request)
            stages.decision = decision
            let allowance = try allowance(decision, request)
            let presigned = try sign(plan, fields, allowance, for: store, at: time, using: &presigner)
            if presigned.check != nil { stages.rateLimit = countCheck(for: caller, from: client, at: now) }
            return PresignOutcome(stages: stages, result: .success(presigned))
        } catch {
            return PresignOutcome(stages: stages, result: .failure(error))
        }
    }
}
