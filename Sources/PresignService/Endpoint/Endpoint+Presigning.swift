import AccessRules
import HTTP1
import Presigning

extension Endpoint {
    /// Runs limit → decode → authorize → sign; the same for a single request, a link, and an item of a batch.
    ///
    /// - Parameters:
    ///   - time: the wall clock, from which the URL is valid.
    ///   - record: receives what each stage found out, also if a later one refuses the request.
    func presign(
        _ source: PresignSource, for caller: Caller, at time: SigningTime, recordingIn record: inout RequestRecord,
        using presigner: inout Presigner
    ) throws(Refusal) -> PresignedObject {
        record.rateLimit = try limit(caller, from: record.client, at: record.started)
        let fields = try decode(source)
        record.add(fields)
        let operation = try operation(of: fields)
        record.action = operation.action
        record.requestedStore = fields.store
        let store = try store(fields.store, for: source)
        record.store = store
        let request = fields.accessRequest(for: operation, of: caller)
        let decision = snapshot.policy.decision(for: request, in: store.policyIndex)
        record.add(decision, on: request, by: snapshot.policy)
        let allowance = try allowance(decision, request)
        let presigned = try sign(operation, fields, allowance, for: store, at: time, using: &presigner)
        record.signed = .init(presigned)
        if presigned.check != nil {
            record.rateLimit = countCheck(for: caller, from: record.client, at: record.started)
        }
        return presigned
    }

    /// Returns the operation that the fields ask for.
    private func operation(of fields: PresignFields) throws(Refusal) -> AWSS3SigningOperation {
        do throws(Problem) {
            return try fields.operation()
        } catch {
            throw Refusal(error)
        }
    }

    /// The authorize stage: returns what the rules allow, or throws the refusal.
    private func allowance(
        _ decision: AccessDecision, _ request: AccessRequest
    ) throws(Refusal) -> AccessDecision.Allowance {
        if case .allowed(let allowance) = decision { return allowance }
        throw Refusal(decision, of: request, namesRule: snapshot.explainsDenials) ?? .forbidden
    }
}

extension RequestRecord {
    /// Adds what the request asks for.
    fileprivate mutating func add(_ fields: PresignFields) {
        key = fields.path
        contentType = fields.contentType
        contentLength = fields.contentLength
        requestedExpiry = fields.expiresIn
    }

    /// Adds the decision of the rules.
    mutating func add(_ decision: AccessDecision, on request: AccessRequest, by policy: AccessPolicy) {
        rule = decision.rule
        guard isAudited else { return }
        if case .denied(let denial) = decision, case .path(let refusal) = denial.reason {
            unmet = [FieldFailure(request.isListing ? "prefix" : "path", refusal.description)]
        }
        groups = policy.groups(reaching: request, by: decision)
    }
}

extension RequestRecord.Signed {
    fileprivate init(_ presigned: PresignedObject) {
        operation = presigned.operation
        accessKeyID = presigned.accessKeyID
        expiresIn = presigned.url.expiresIn
        expiresAt = presigned.url.expiresAt
        limitedBy = presigned.url.limitedBy
    }
}
