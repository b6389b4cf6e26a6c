import AccessRules
import HTTP1
import Presigning
import Requests
import StorageCredentials

extension Endpoint {
    /// Runs limit → decode → authorize; the same for a single request, a link, and an item of a batch.
    ///
    /// - Parameter record: receives what each stage found out, also if a later one refuses the request.
    func authorize(
        _ source: PresignSource, for caller: Caller, recordingIn record: inout RequestRecord
    ) throws(Refusal) -> AllowedRequest {
        record.rateLimit = try limit(caller, from: record.client, at: record.started)
        return try decide(source, for: caller, recordingIn: &record)
    }

    /// Runs decode → authorize; the one function that asks the rules.
    func decide(
        _ source: PresignSource, for caller: Caller, recordingIn record: inout RequestRecord
    ) throws(Refusal) -> AllowedRequest {
        var request = try decode(source)
        request.caller = caller
        do throws(InvalidRequest) {
            try request.selectOperation()
        } catch {
            record.add(request)
            throw Refusal(Problem(error))
        }
        record.add(request)
        record.operation = request.operation
        let store = try store(request.store, for: source)
        record.store = store
        if request.isForm { try checkForm(request, for: store) }
        let decision = snapshot.policy.decision(for: request, in: store.policyIndex)
        record.add(decision, on: request, by: snapshot.policy)
        guard case .allowed(let allowance) = decision else {
            throw Refusal(decision, of: request, namesRule: snapshot.explainsDenials) ?? .forbidden
        }
        // A share link is decided again at every use.
        if request.newShare == nil { request.add(allowance) }
        return AllowedRequest(request, allowance, in: store)
    }

    /// Signs a request that the rules allow.
    ///
    /// - Parameter time: the wall clock, from which the URL is valid.
    func presign(
        _ request: AllowedRequest, from source: PresignSource, for caller: Caller, at time: SigningTime,
        recordingIn record: inout RequestRecord, using presigner: inout Presigner
    ) throws(Refusal) -> PresignResponse {
        var response = try sign(request, at: time, recordingIn: &record, using: &presigner)
        if let problem = source.refusal(of: response) { throw Refusal(problem) }
        if request.request.isContentAddressed {
            response.check = uploadCheck(request, at: time, record, using: &presigner)
        }
        if response.check != nil {
            record.rateLimit = countCheck(for: caller, from: record.client, at: record.started)
        }
        return response
    }

    /// Returns the check of a download of the same object, which shows whether an upload is needed.
    ///
    /// Nil if the store does not check existence, or if the caller may not download the object, because the response
    /// tells whether it exists.
    ///
    /// - Parameter record: that of the upload, which stays as it is.
    private func uploadCheck(
        _ upload: AllowedRequest, at time: SigningTime, _ record: RequestRecord, using presigner: inout Presigner
    ) -> PresignResponse.Check? {
        let (request, store) = (upload.request, upload.store)
        let download = PresignRequest(caller: request.caller, action: .get, path: request.path, store: request.store)
        guard store.configuration.validatesExistence,
            case .allowed(let allowance) = snapshot.policy.decision(for: download, in: store.policyIndex)
        else { return nil }
        var unused = record
        // Without credentials for reading, the client uploads.
        let response = try? sign(
            AllowedRequest(download, allowance, in: store), at: time, recordingIn: &unused, using: &presigner)
        guard var check = response?.check else { return nil }
        check.uploadLength = request.contentLength
        return check
    }
}

extension RequestRecord {
    /// Adds what the request asks for.
    mutating func add(_ request: PresignRequest) {
        key = request.hasPath ? request.path : nil
        requestedStore = request.store
        (contentType, contentLength) = (request.declaredType, request.declaredLength)
        requestedExpiry = request.declaredLifetime
    }

    /// Adds the decision of the rules.
    mutating func add(_ decision: AccessDecision, on request: PresignRequest, by policy: AccessPolicy) {
        rule = decision.rule
        guard isAudited else { return }
        if case .denied(let denial) = decision, case .path(let refusal) = denial.reason {
            unmet = [FieldFailure(request.isListing ? "prefix" : "path", refusal.description)]
        }
        groups = policy.groups(reaching: request, by: decision)
    }
}

/// A request that the rules allow, with what the rule adds to it.
struct AllowedRequest: Sendable {
    let request: PresignRequest
    let allowance: AccessDecision.Allowance
    let store: Store

    fileprivate init(_ request: consuming PresignRequest, _ allowance: AccessDecision.Allowance, in store: Store) {
        self.request = request
        self.allowance = allowance
        self.store = store
    }
}

extension Endpoint {
    /// Returns the requested store; a link finds only stores that offer links.
    func store(_ name: String?, for source: PresignSource) throws(Refusal) -> Store {
        let isLink = if case .link = source { true } else { false }
        guard let store = snapshot.stores.store(name), !isLink || store.configuration.offersLinks else {
            if case .share = source { throw Refusal(.shareEnded, "the store is not configured") }
            throw Refusal(.unknownStore(name ?? "", isLink: isLink))
        }
        return store
    }

    /// The sign stage: returns the response with the signed URL, and with the HEAD URL if an existence check was
    /// requested; or with the signed fields of a form.
    private func sign(
        _ allowed: AllowedRequest, at time: SigningTime, recordingIn record: inout RequestRecord,
        using presigner: inout Presigner
    ) throws(Refusal) -> PresignResponse {
        let (allowance, configuration) = (allowed.allowance, allowed.store.configuration)
        let held = allowed.store.credentials[allowed.request.traits.role]
        guard held.areUsable(at: time), let credentials = held.credentials else { throw Refusal(held.unavailable) }
        let (bucket, prefix, expiresIn) = (configuration.bucket, configuration.prefix, Int(allowance.expiresIn))
        let task = allowed.request.task(
            prefix: prefix, in: bucket, expiresIn: expiresIn, window: Int(allowance.window),
            validateObjectExistence: allowed.request.validateObjectExistence ?? configuration.validatesExistence)
        do throws(StorageError) {
            let response: PresignResponse
            if let task {
                let url = try task.url(with: credentials, at: time, using: &presigner)
                let head = try task.existenceCheck(
                    through: configuration.internalBucket.endpoint, with: credentials, at: time, using: &presigner)
                response = PresignResponse(
                    url: url, path: allowed.request.path, in: bucket.endpoint.options,
                    check: head.map { PresignResponse.Check(url: $0.text, key: task.key) })
            } else {
                let policy = allowed.request.policy(
                    prefix: prefix, in: bucket, expiresIn: expiresIn,
                    maximumSize: allowance.constraints.maximumSize ?? 0)
                let form = try policy.form(with: credentials, at: time, using: &presigner)
                response = PresignResponse(
                    url: form.action, fields: form.fields, path: allowed.request.path, in: bucket.endpoint.options)
            }
            record.signed = .init(response.url, accessKeyID: credentials.accessKeyID)
            return response
        } catch {
            throw Refusal(Problem(error))
        }
    }

    /// Refuses a form that the store does not offer, or that would redirect to a page that is not configured.
    private func checkForm(_ request: PresignRequest, for store: Store) throws(Refusal) {
        guard store.configuration.offersForms else { throw Refusal(.formsOff(store.configuration.name)) }
        if let origin = request.redirectOrigin, !snapshot.cors.isListed(origin) { throw Refusal(.foreignRedirect) }
    }
}

extension Problem {
    /// 400: a form for a store with `forms: false`.
    fileprivate static func formsOff(_ store: String) -> Problem {
        .validation([FieldFailure("form", "is not offered by the store `\(store)`; send PUT instead")])
    }

    /// 400: a form that would redirect to an origin that is not configured.
    fileprivate static let foreignRedirect = validation(
        [FieldFailure("successRedirect", "must have an origin that cors.origins lists by name")])

    /// 400: an unknown store. For a link a store without links is unknown too, and the text does not tell them apart.
    fileprivate static func unknownStore(_ name: String, isLink: Bool) -> Problem {
        let detail = isLink ? "no store with this name offers links" : "unknown store `\(name)`"
        return .validation(
            [FieldFailure("store", detail)], recovery: "Correct the name, or omit `store` for the default store.")
    }
}
