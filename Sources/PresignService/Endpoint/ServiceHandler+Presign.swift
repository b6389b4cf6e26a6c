import HTTPServing
import Presigning

extension ServiceHandler {
    /// `POST /presign`: authenticate, decode, authorize, sign; and, when asked, a check to be made before the answer.
    mutating func presign(_ request: HTTPRequest, _ record: inout RequestRecord) throws(Problem) -> Step {
        let time = Self.now()
        let caller = try self.caller(of: request, at: time, &record)
        try admit(caller, &record)
        let presigned = try presigned(for: caller, try fields(of: request), at: time, &record)
        if request.headers.prefersText { return presigned.step { $0.text() } }
        let jsonFields = service.jsonFields
        return presigned.step { $0.response(jsonFields) }
    }

    /// `GET|HEAD /o/{path}`: the same decision and the same signature, as a redirection.
    mutating func link(
        _ path: ArraySlice<UInt8>, _ request: HTTPRequest, _ record: inout RequestRecord
    ) throws(Problem) -> Step {
        let time = Self.now()
        let caller = try self.caller(of: request, at: time, &record)
        try admit(caller, &record)
        let fields = try PresignFields(
            link: path, method: request.method == .head ? .head : .get, query: request.query)
        if let store = snapshot.stores.store(fields.store), !store.configuration.offersLinks { throw .notFound }
        return try presigned(for: caller, fields, at: time, &record).step { $0.redirect() }
    }

    /// The one way from what is asked to a URL, whatever the route: what it comes to, whether the rules allow it, and the
    /// signature. What was found is noted in the record.
    mutating func presigned(
        for caller: Caller, _ fields: borrowing PresignFields, at time: SigningTime, _ record: inout RequestRecord
    ) throws(Problem) -> Presigned {
        let path = fields.path ?? []
        record.key = path
        record.audit?.note(fields)
        let plan = try PresignPlan(fields)
        record.action = plan.action
        record.store = fields.store.map { Array($0.utf8) } ?? snapshot.stores.store(nil)?.nameBytes
        let allowance = try allowance(for: caller, plan, fields, &record)
        guard let store = snapshot.stores.store(fields.store) else { throw .forbidden }
        record.store = store.nameBytes
        let task = try task(plan, fields, allowance, in: store)
        let credentials = try store.credentials(at: time)
        do throws(StorageError) {
            let url = try task.url(with: credentials, at: time, using: &presigner)
            record.audit?.note(url, for: store)
            let answer = PresignAnswer(
                url: url, path: path, bucket: store.configuration.bucket.name,
                region: store.configuration.bucket.endpoint.region)
            guard task.validateObjectExistence,
                let head = try task.existenceCheck(
                    through: store.configuration.internalBucket.endpoint, with: credentials, at: time,
                    using: &presigner)
            else {
                counters(of: store)?.note(plan.operation.place)
                return Presigned(answer: answer, check: nil)
            }
            let check = StorageCheck(
                url: head.text, key: store.key(path), counters: counters(of: store), operation: plan.operation.place,
                shard: shard)
            return Presigned(answer: answer, check: check)
        } catch {
            throw Problem(error)
        }
    }

    /// Who calls; noted in the record.
    func caller(
        of request: HTTPRequest, at time: SigningTime, _ record: inout RequestRecord
    ) throws(Problem) -> Caller {
        if let caller = try proxiedCaller(of: request, &record) {
            record.caller = caller
            return caller
        }
        let client = record.client
        if request.headers.haveCredentials { try admitCredentials(from: client, &record) }
        switch snapshot.authenticator.outcome(for: request.headers, certificate: request.certificate, at: time) {
        case .authenticated(let caller):
            record.caller = caller
            return caller
        case .guest:
            record.caller = .guest
            return .guest
        case .missing:
            record.reason = "no credentials"
            throw .credentialsMissing
        case .rejected(let reason):
            record.reason = "\(reason)"
            countFailure(from: client, record)
            throw .credentialsRejected
        case .expired:
            countFailure(from: client, record)
            record.reason = "\(TokenRefusal.expired.reason)"
            throw .tokenExpired
        case .ambiguous:
            record.reason = "two sets of credentials"
            throw .credentialsAmbiguous
        }
    }

    private func fields(of request: HTTPRequest) throws(Problem) -> PresignFields {
        guard let form = BodyForm(request.headers) else { throw .unsupportedMediaType }
        switch form {
        case .json: return try fields(json: request.body.span, of: "body")
        case .form:
            // Browsers send forms anywhere without a preflight; only their Origin tells them from curl.
            if let origin = request.headers.first(.origin), !snapshot.cors.isListed(origin) { throw .foreignForm }
            var reader = FormReader()
            return try PresignFields(decoding: request.body.span, with: &reader)
        }
    }

    /// - Parameter place: what the text is, for errors.
    func fields(json text: Span<UInt8>, of place: StaticString) throws(Problem) -> PresignFields {
        var reader: JSONMemberReader
        do throws(SyntaxError) {
            reader = try JSONMemberReader(text, limits: JSONLimits(size: snapshot.bodies.single))
        } catch {
            throw .validation([FieldFailure("", "the \(place) is malformed: \(error)")])
        }
        return try PresignFields(decoding: text, with: &reader, of: place)
    }

    /// What the rules are asked.
    private static func request(
        of caller: Caller, _ plan: PresignPlan, _ fields: borrowing PresignFields
    ) -> AccessRequest {
        AccessRequest(
            caller: caller, action: plan.action, key: fields.path ?? [], store: fields.store,
            contentType: fields.contentType, setsContentType: plan.setsContentType,
            contentLength: fields.contentLength, checksum: fields.checksumSHA256 == nil ? nil : .sha256,
            expiresIn: fields.expiresIn)
    }

    private func allowance(
        for caller: Caller, _ plan: PresignPlan, _ fields: borrowing PresignFields, _ record: inout RequestRecord
    ) throws(Problem) -> AccessDecision.Allowance {
        let decision = snapshot.policy.decision(for: Self.request(of: caller, plan, fields))
        record.rule = decision.rule
        if record.audit != nil {
            record.audit?.note(decision, on: Self.request(of: caller, plan, fields), by: snapshot.policy)
        }
        switch decision {
        case .allowed(let allowance): return allowance
        case .unmet(let constraints, _):
            record.reason = "constraint"
            throw .constraint(constraints)
        case .denied(let denial):
            record.reason = denial.reason.code
            if case .path(let refusal) = denial.reason {
                throw .validation(
                    [FieldFailure("path", refusal.description)], recovery: refusal.recoverySuggestion)
            }
            throw denial.isGuest ? .credentialsMissing : .forbidden
        }
    }

    private func task(
        _ plan: PresignPlan, _ fields: borrowing PresignFields, _ allowance: AccessDecision.Allowance, in store: Store
    ) throws(Problem) -> AWSS3StorageGetURLTask {
        let key = store.key(fields.path ?? [])
        guard key.bytes.count <= ObjectKeyCheck.maximumLength else {
            let detail = "with the store's prefix the key has more than \(ObjectKeyCheck.maximumLength) bytes in UTF-8"
            throw .validation(
                [FieldFailure("path", detail)], recovery: ObjectKeyRefusal.tooLong.recoverySuggestion)
        }
        let limits = snapshot.expires
        if let asked = fields.expiresIn, Presigner.validExpiry ~= Int(asked), asked > limits.max {
            throw .constraint([.expiresIn(maximum: Int64(limits.max))])
        }
        let expiry = allowance.expiry(requested: fields.expiresIn, fallback: Int64(limits.default))
        var headers = plan.headers
        if allowance.requiresIfNoneMatch, plan.takesIfNoneMatch, fields.ifNoneMatch == nil {
            headers.append(("if-none-match", "*"))
        }
        return AWSS3StorageGetURLTask(
            plan.operation, key: key, in: store.configuration.bucket,
            expiresIn: Int(fields.expiresIn == nil ? min(expiry, Int64(limits.max)) : expiry),
            contentType: fields.contentType, headers: headers, query: plan.query,
            validateObjectExistence: fields.validateObjectExistence ?? store.configuration.validatesExistence,
            useAccelerateEndpoint: fields.useAccelerateEndpoint)
    }
}
