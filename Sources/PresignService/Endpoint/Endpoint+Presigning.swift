import AccessRules
import HTTP1
import ObjectExistence
import Presigning
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
        let fields = try decode(source)
        record.add(fields)
        let operation = try operation(of: fields)
        record.action = operation.traits.action
        record.requestedStore = fields.store
        let store = try store(fields.store, for: source)
        record.store = store
        if fields.isForm { try checkForm(fields, for: store) }
        let request = fields.accessRequest(for: operation, of: caller)
        let decision = snapshot.policy.decision(for: request, in: store.policyIndex)
        record.add(decision, on: request, by: snapshot.policy)
        guard case .allowed(let allowance) = decision else {
            throw Refusal(decision, of: request, namesRule: snapshot.explainsDenials) ?? .forbidden
        }
        return AllowedRequest(fields, operation, allowance, in: store)
    }

    /// Signs a request that the rules allow.
    ///
    /// - Parameter time: the wall clock, from which the URL is valid.
    func presign(
        _ request: AllowedRequest, from source: PresignSource, for caller: Caller, at time: SigningTime,
        recordingIn record: inout RequestRecord, using presigner: inout Presigner
    ) throws(Refusal) -> PresignedObject {
        var presigned = try sign(request, at: time, using: &presigner)
        if let problem = source.refusal(of: presigned.response) { throw Refusal(problem) }
        record.signed = .init(presigned)
        if request.fields.isContentAddressed {
            presigned.check = uploadCheck(request, for: caller, at: time, using: &presigner)
        }
        if presigned.check != nil {
            record.rateLimit = countCheck(for: caller, from: record.client, at: record.started)
        }
        return presigned
    }

    /// Returns the check of a download of the same object, which shows whether an upload is needed.
    ///
    /// Nil if the store does not check existence, or if the caller may not download the object, because the response
    /// tells whether it exists.
    private func uploadCheck(
        _ upload: AllowedRequest, for caller: Caller, at time: SigningTime, using presigner: inout Presigner
    ) -> PresignedObject.Check? {
        let (fields, store) = (upload.fields.download, upload.store)
        guard store.configuration.validatesExistence,
            case .allowed(let allowance) = snapshot.policy.decision(
                for: fields.accessRequest(for: .getObject, of: caller), in: store.policyIndex)
        else { return nil }
        // Without credentials for reading, the client uploads.
        let download = try? sign(
            AllowedRequest(fields, .getObject, allowance, in: store), at: time, using: &presigner)
        guard var check = download?.check else { return nil }
        check.uploadLength = upload.fields.contentLength
        return check
    }

    /// Returns the operation that the fields ask for.
    private func operation(of fields: PresignFields) throws(Refusal) -> AWSS3SigningOperation {
        do throws(Problem) {
            return try fields.operation()
        } catch {
            throw Refusal(error)
        }
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
        let url = presigned.response.url
        (expiresIn, expiresAt, limitedBy) = (url.expiresIn, url.expiresAt, url.limitedBy)
    }
}

/// A request that the rules allow, with what signing needs.
struct AllowedRequest: Sendable {
    let fields: PresignFields
    let operation: AWSS3SigningOperation
    let allowance: AccessDecision.Allowance
    let store: Store

    fileprivate init(
        _ fields: PresignFields, _ operation: AWSS3SigningOperation, _ allowance: AccessDecision.Allowance,
        in store: Store
    ) {
        (self.fields, self.operation, self.allowance, self.store) = (fields, operation, allowance, store)
    }
}

/// A signed URL, with what is needed to respond to the request and to audit it.
struct PresignedObject: Sendable {
    /// The HEAD request that decides whether the URL is returned.
    struct Check: Sendable {
        /// What is returned instead of the URL.
        enum Replacement {
            /// The object of a download cannot be found.
            case refusal(Problem)
            /// The storage has the object of an upload.
            case stored
        }

        /// The URL signed for HEAD.
        let url: String
        /// The object's full key, the store's prefix included.
        let key: StoragePath
        /// The length in bytes of an upload; nil for a download.
        var uploadLength: Int64?

        /// Returns what replaces the URL; nil if the URL is returned.
        func replacement(for outcome: ExistenceOutcome) -> Replacement? {
            if let uploadLength { return outcome.finds(length: uploadLength) ? .stored : nil }
            return outcome.problem(for: key).map { .refusal($0) }
        }
    }

    /// The response, which contains the URL.
    let response: PresignResponse
    let operation: AWSS3SigningOperation.Kind
    /// The public half of the credentials.
    let accessKeyID: String
    /// Nil if no check was requested.
    fileprivate(set) var check: Check?
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

    /// The sign stage: returns the signed URL, with the HEAD URL if an existence check was requested.
    private func sign(
        _ request: AllowedRequest, at time: SigningTime, using presigner: inout Presigner
    ) throws(Refusal) -> PresignedObject {
        let (fields, operation, allowance, store) = (
            request.fields, request.operation, request.allowance, request.store
        )
        let held = store.credentials[operation.traits.role]
        guard held.areUsable(at: time), let credentials = held.credentials else { throw Refusal(held.unavailable) }
        let configuration = store.configuration
        if fields.isForm {
            let policy = fields.policy(prefix: configuration.prefix, in: configuration.bucket, adding: allowance)
            return try sign(policy, of: fields.path, with: credentials, at: time, using: &presigner)
        }
        let task = fields.task(
            operation, prefix: configuration.prefix, in: configuration.bucket, expiresIn: Int(allowance.expiresIn),
            window: Int(allowance.window), adding: allowance,
            validateObjectExistence: fields.validateObjectExistence ?? configuration.validatesExistence)
        do throws(StorageError) {
            let url = try task.url(with: credentials, at: time, using: &presigner)
            let head = try task.existenceCheck(
                through: configuration.internalBucket.endpoint, with: credentials, at: time, using: &presigner)
            return PresignedObject(
                response: PresignResponse(url: url, path: fields.path, in: configuration.bucket.endpoint.options),
                operation: operation.kind, accessKeyID: credentials.accessKeyID,
                check: head.map { PresignedObject.Check(url: $0.text, key: task.key) })
        } catch {
            throw Refusal(Problem(error))
        }
    }
}

extension Endpoint {
    /// Refuses a form that the store does not offer, or that would redirect to a page that is not configured.
    private func checkForm(_ fields: PresignFields, for store: Store) throws(Refusal) {
        guard store.configuration.offersForms else { throw Refusal(.formsOff(store.configuration.name)) }
        if let origin = fields.redirectOrigin, !snapshot.cors.isListed(origin) { throw Refusal(.foreignRedirect) }
    }

    /// The sign stage of a form.
    private func sign(
        _ policy: PostPolicy, of path: [UInt8], with credentials: Credentials, at time: SigningTime,
        using presigner: inout Presigner
    ) throws(Refusal) -> PresignedObject {
        do throws(StorageError) {
            let form = try policy.form(with: credentials, at: time, using: &presigner)
            return PresignedObject(
                response: PresignResponse(
                    url: form.action, fields: form.fields, path: path, in: policy.bucket.endpoint.options),
                operation: .postObject, accessKeyID: credentials.accessKeyID, check: nil)
        } catch {
            throw Refusal(Problem(error))
        }
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
