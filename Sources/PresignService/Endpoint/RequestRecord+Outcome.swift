import AccessRules
import Presigning

extension RequestRecord {
    /// Adds the results of the presign stages.
    mutating func add(_ outcome: PresignOutcome, by policy: AccessPolicy) {
        let stages = outcome.stages
        rateLimit = stages.rateLimit
        key = stages.fields?.path
        store = stages.store
        if let request = stages.request {
            action = request.action
            if store == nil { unknownStore = request.store.map { Array($0.utf8) } }
        }
        rule = stages.decision?.rule
        audit?.add(outcome, by: policy)
        switch outcome.result {
        case .success(let presigned): operation = presigned.operation
        case .failure(let refusal): add(refusal)
        }
    }

    /// Adds the reason for a refusal.
    mutating func add(_ refusal: Refusal) {
        code = refusal.problem.code
        reason = refusal.reason
        if let limit = refusal.rateLimit { rateLimit = limit }
        audit?.add(refusal)
    }
}

extension AuditContext {
    /// Adds the results of the presign stages.
    mutating func add(_ outcome: PresignOutcome, by policy: AccessPolicy) {
        let stages = outcome.stages
        contentType = stages.fields?[.contentType]
        contentLength = stages.fields?.contentLength
        requestedExpiry = stages.fields?.expiresIn
        if let request = stages.request, let decision = stages.decision { add(decision, on: request, by: policy) }
        if case .success(let presigned) = outcome.result {
            signed = Signed(
                bucket: presigned.store.configuration.bucket.name, accessKeyID: presigned.accessKeyID,
                expiresIn: presigned.url.expiresIn, expiresAt: presigned.url.expiresAt,
                limitedBy: presigned.url.limitedBy)
        }
    }

    /// Adds the decision of the rules.
    mutating func add(_ decision: AccessDecision, on request: AccessRequest, by policy: AccessPolicy) {
        if case .denied(let denial) = decision, case .path(let refusal) = denial.reason {
            unmet = [FieldFailure(request.isListing ? "prefix" : "path", refusal.description)]
        }
        groups = request.caller.groups.isEmpty ? [] : policy.groupsUsed(by: request, decision.rule)
    }

    /// Adds the unmet constraints of a 422. Other problems may quote what the caller sent, such as a misplaced API key.
    mutating func add(_ refusal: Refusal) {
        if refusal.problem.status == 422 { unmet = refusal.problem.errors }
    }
}
