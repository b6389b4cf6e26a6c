import AccessRules
import HTTP1
import Presigning
import Requests
import StorageCredentials
import System
import Text

extension Endpoint {
    /// Runs limit → decode → authorize; the same for a single request, a link, and an item of a batch.
    ///
    /// - Parameters:
    ///   - record: receives what each stage found out, also if a later one refuses the request.
    ///   - decode: the decode stage, which returns the request before its operation is selected.
    func authorize(
        _ source: PresignSource, for caller: Caller, recordingIn record: inout RequestRecord,
        decode: () throws(Problem) -> PresignRequest
    ) throws(Refusal) -> AccessDecision.Allowance {
        record.rateLimit = try limit(caller, from: record.client, at: record.started)
        do throws(Problem) { record.request = try decode() } catch { throw Refusal(error) }
        return try decide(source, for: caller, recordingIn: &record)
    }

    /// The authorize stage; the one function that asks the rules.
    ///
    /// - Parameter record: has the decoded request, and receives what the rule adds to it.
    func decide(
        _ source: PresignSource, for caller: Caller, recordingIn record: inout RequestRecord
    ) throws(Refusal) -> AccessDecision.Allowance {
        record.request.caller = caller
        do throws(InvalidRequest) {
            try record.request.selectOperation()
        } catch {
            throw Refusal(Problem(error))
        }
        let store = try store(record.request.store, for: source)
        record.store = store
        if record.request.isForm { try checkForm(record.request, for: store) }
        let decision = snapshot.configuration.policy.decision(for: record.request, in: store.policyIndex)
        record.add(decision, by: snapshot.configuration.policy)
        guard case .allowed(let allowance) = decision else {
            throw Refusal(decision, of: record.request, namesRule: snapshot.development != nil) ?? .forbidden
        }
        if let failure = record.request.failure(at: store.configuration.storage) {
            throw Refusal(.constraint([failure]))
        }
        // A share link is decided again at every use.
        if record.request.newShare == nil { record.request.add(allowance) }
        return allowance
    }

    /// Signs the request of the record, which the rules allow.
    ///
    /// - Parameter time: the wall clock, from which the URL is valid.
    func presign(
        _ allowance: AccessDecision.Allowance, from source: PresignSource, for caller: Caller, at time: SigningTime,
        recordingIn record: inout RequestRecord, using presigner: inout Presigner
    ) throws(Refusal) -> PresignResponse {
        let response = try sign(allowance, at: time, recordingIn: &record, using: &presigner)
        if let problem = source.refusal(of: response) { throw Refusal(problem) }
        if response.check != nil {
            // The check is a second signed request. It is not refused; the caller's next request waits longer.
            let now = record.started.nanoseconds
            record.rateLimit = service.limits.status(
                of: caller, from: record.client, under: snapshot.configuration.limits
            ) { $0.charge($1, under: $2, at: now) }
        }
        return response
    }

    /// Returns the check of a download of the same object, which shows whether an upload is needed.
    ///
    /// Nil if the store does not check existence, or if the caller may not download the object, because the response
    /// tells whether it exists.
    ///
    /// - Parameter upload: the record of the upload, which stays as it is.
    private func uploadCheck(
        _ upload: RequestRecord, at time: SigningTime, using presigner: inout Presigner
    ) -> PresignResponse.Check? {
        var download = upload
        download.request = PresignRequest(
            caller: upload.request.caller, action: .get, path: upload.request.path, store: upload.request.store)
        guard let store = upload.store, store.configuration.validatesExistence,
            case .allowed(let allowance) = snapshot.configuration.policy.decision(
                for: download.request, in: store.policyIndex)
        else { return nil }
        // Without credentials for reading, the client uploads.
        let response = try? sign(allowance, at: time, recordingIn: &download, using: &presigner)
        guard var check = response?.check else { return nil }
        check.uploadLength = upload.request.contentLength
        return check
    }
}

extension RequestRecord {
    /// Adds the decision of the rules.
    mutating func add(_ decision: AccessDecision, by policy: AccessPolicy) {
        rule = decision.rule
        guard isAudited else { return }
        if case .denied(let denial) = decision, case .path(let refusal) = denial.reason {
            unmet = [FieldFailure(request.isListing ? "prefix" : "path", refusal.description)]
        }
        groups = policy.groups(reaching: request, by: decision)
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

    /// Returns the credentials of a store for a role.
    func credentials(
        of store: Store, _ role: CredentialRole, at time: SigningTime
    ) throws(Refusal) -> Credentials {
        let held = store.credentials[role]
        guard held.areUsable(at: time), let credentials = held.credentials else { throw Refusal(held.unavailable) }
        return credentials
    }

    /// The sign stage: returns the response with the signed URL, and with the HEAD URL if an existence check was
    /// requested; or with the signed fields of a form.
    ///
    /// - Parameter record: has the request and its store.
    private func sign(
        _ allowance: AccessDecision.Allowance, at time: SigningTime, recordingIn record: inout RequestRecord,
        using presigner: inout Presigner
    ) throws(Refusal) -> PresignResponse {
        guard let store = record.store else { throw .forbidden }
        let credentials = try credentials(of: store, record.request.traits.role, at: time)
        let (bucket, prefix) = (store.configuration.bucket, store.configuration.prefix)
        do throws(StorageError) {
            if let task = record.request.task(
                prefix: prefix, in: bucket, expiresIn: Int(allowance.expiresIn), window: Int(allowance.window),
                validateObjectExistence: record.request.validateObjectExistence
                    ?? store.configuration.validatesExistence)
            {
                let url = try task.url(with: credentials, at: time, using: &presigner)
                let head = try task.existenceCheck(
                    through: store.configuration.internalBucket.endpoint, with: credentials, at: time,
                    using: &presigner)
                record.signed = .init(url, accessKeyID: credentials.accessKeyID)
                var check = head.map { PresignResponse.Check(url: $0.text, key: task.key) }
                if record.request.isContentAddressed { check = uploadCheck(record, at: time, using: &presigner) }
                return PresignResponse(url: url, path: record.request.path, in: bucket, check: check)
            }
            let policy = record.request.policy(
                prefix: prefix, in: bucket, expiresIn: Int(allowance.expiresIn),
                maximumSize: allowance.constraints.maximumSize ?? 0)
            let form = try policy.form(with: credentials, at: time, using: &presigner)
            record.signed = .init(form.action, accessKeyID: credentials.accessKeyID)
            return PresignResponse(url: form.action, fields: form.fields, path: record.request.path, in: bucket)
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
        let detail = isLink ? "no store with this name offers links" : "unknown store \(name.quoted)"
        return .validation(
            [FieldFailure("store", detail)], recovery: "Correct the name, or omit `store` for the default store.")
    }
}
