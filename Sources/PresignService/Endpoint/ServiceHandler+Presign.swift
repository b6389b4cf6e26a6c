import AccessRules
import CallerAuthentication
import HTTP1
import Presigning
import StorageCredentials
import Telemetry

extension ServiceHandler {
    /// `POST /presign`: authenticate, decode, authorize, sign; and, when asked, a check to be made before the answer.
    func presign(
        _ request: HTTPRequest, _ record: inout RequestRecord, _ bench: inout Workbench
    ) throws(Problem) -> RequestStep {
        let time = SigningTime.now()
        let caller = try self.caller(of: request, at: time, &record)
        try admit(caller, &record)
        if let problem = Problem.unreadQuery(request.query) { throw problem }
        let fields = try fields(of: request)
        let presigned = try presigned(for: caller, fields, at: time, &record, &bench.presigner)
        let response =
            request.headers.prefersText
            ? presigned.answer.text()
            : HTTPResponse(status: 200, fields: jsonFields, body: bench.json(presigned.answer, of: record))
        return presigned.step(with: response, &bench.presigner)
    }

    /// `GET|HEAD /o/{path}`: the same decision and the same signature, as a redirection.
    func link(
        _ request: HTTPRequest, _ record: inout RequestRecord, _ bench: inout Workbench
    ) throws(Problem) -> RequestStep {
        let time = SigningTime.now()
        let caller = try self.caller(of: request, at: time, &record)
        try admit(caller, &record)
        let fields = try PresignFields(
            link: Route.linkedPath(of: request), method: request.method == .head ? .head : .get, query: request.query)
        if fields[.store] == nil, snapshot.stores.store(nil)?.configuration.offersLinks == false { throw .notFound }
        let presigned = try presigned(for: caller, fields, at: time, &record, &bench.presigner)
        let response = presigned.answer.redirect()
        return presigned.step(with: response, &bench.presigner)
    }

    /// The one way from what is asked to a URL, whatever the route: what it comes to, whether the rules allow it, and the
    /// signature. What was found is noted in the record.
    func presigned(
        for caller: Caller, _ fields: PresignFields, at time: SigningTime,
        _ record: inout RequestRecord, _ presigner: inout Presigner
    ) throws(Problem) -> Presigned {
        record.audit?.note(fields)
        record.key = fields.path
        var plan = try PresignPlan(fields)
        record.action = plan.action
        let request = plan.accessRequest(of: caller, fields)
        guard let store = snapshot.stores.store(request.store), record.route != .link || store.configuration.offersLinks
        else {
            record.unknownStore = request.store.map { Array($0.utf8) }
            throw .unknownStore(request.store ?? "", route: record.route)
        }
        record.store = store
        let allowance = try allowance(for: request, &record)
        record.rule = allowance.rule
        let key = store.key(fields.path)
        if allowance.requiresIfNoneMatch, fields[.ifNoneMatch] == nil { plan.headers.append(("if-none-match", "*")) }
        let expiresIn = Int(allowance.expiresIn)
        return try signed(plan, key, fields, expiresIn: expiresIn, for: store, at: time, &record, &presigner)
    }

    /// The signature, and the check to be made before it is given away.
    private func signed(
        _ plan: PresignPlan, _ key: StoragePath, _ fields: PresignFields, expiresIn: Int,
        for store: Store, at time: SigningTime, _ record: inout RequestRecord, _ presigner: inout Presigner
    ) throws(Problem) -> Presigned {
        let held = store.credentials[plan.operation.credentialRole]
        guard held.areUsable(at: time), let credentials = held.credentials else { throw held.unavailable }
        do throws(StorageError) {
            let url = try presigner.url(
                for: plan.operation, of: key, in: store.configuration.bucket, expiresIn: expiresIn,
                contentType: fields[.contentType], headers: plan.headers, query: plan.query,
                useAccelerateEndpoint: fields.useAccelerateEndpoint, with: credentials, at: time)
            record.audit?.note(url, for: store, with: credentials)
            guard fields.validateObjectExistence ?? store.configuration.validatesExistence,
                let check = try check(
                    plan, key, isAccelerated: fields.useAccelerateEndpoint, in: store, credentials, at: time,
                    &presigner)
            else {
                count(plan.operation, in: store)
                return Presigned(answer: PresignAnswer(url: url), check: nil)
            }
            return Presigned(answer: PresignAnswer(url: url), check: check)
        } catch {
            throw Problem(error)
        }
    }

    /// The check whether an object is there; nil for what needs none to be.
    @inline(never)
    private func check(
        _ plan: PresignPlan, _ key: StoragePath, isAccelerated: Bool?, in store: Store,
        _ credentials: Credentials, at time: SigningTime, _ presigner: inout Presigner
    ) throws(StorageError) -> StorageCheck? {
        let task = AWSS3StorageGetURLTask(
            plan.operation, key: key, in: store.configuration.bucket, headers: plan.headers, query: plan.query,
            validateObjectExistence: true, useAccelerateEndpoint: isAccelerated)
        let head = try task.existenceCheck(
            through: store.configuration.internalBucket.endpoint, with: credentials, at: time, using: &presigner)
        return head.map { head in
            StorageCheck(
                url: head.text, key: key, store: store.configuration.name, operation: task.operation,
                metrics: service.metrics)
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
        let exhausted = request.headers.haveCredentials ? exhaustedFailures(from: record.client, record) : nil
        switch snapshot.outcome(for: request, at: time, verifiesTokens: exhausted == nil) {
        case .authenticated(let caller):
            record.caller = caller
            return caller
        case .guest:
            record.caller = .guest
            return .guest
        case .missing:
            record.reason = "no credentials"
            throw .credentialsMissing
        case .rejected(let reason): throw failed(.credentialsRejected, "\(reason)", exhausted, &record)
        case .expired: throw failed(.tokenExpired, "\(TokenRefusal.expired.reason)", exhausted, &record)
        case .expiredKey: throw failed(.keyExpired, "API key past its notAfter", exhausted, &record)
        case .keyWithoutScheme:
            throw failed(.schemeMissing, "an API key in Authorization without Bearer", exhausted, &record)
        case .unverified: throw failed(.credentialsRejected, "token: not verified", exhausted, &record)
        case .ambiguous:
            record.reason = "two sets of credentials"
            throw .credentialsAmbiguous
        }
    }

    /// The refusal of credentials that proved nothing.
    private func failed(
        _ problem: Problem, _ reason: String, _ exhausted: RateLimitStatus?, _ record: inout RequestRecord
    ) -> Problem {
        record.reason = reason
        return refusal(problem, from: record.client, exhausted, &record)
    }

    private func fields(of request: HTTPRequest) throws(Problem) -> PresignFields {
        guard let form = BodyForm(request.headers) else {
            throw .unsupportedMediaType(request.headers, .presign, body: request.body)
        }
        switch form {
        case .json: return try PresignFields(json: request.body, limit: snapshot.bodies.single)
        case .form:
            // Browsers send forms anywhere without a preflight; only their Origin tells them from curl.
            if let origin = request.headers.first(.origin), !snapshot.cors.isListed(origin) { throw .foreignForm }
            if request.body.looksLikeJSON { throw .jsonSentAsForm }
            return try PresignFields(form: request.body)
        }
    }

    /// What the rules say; what they refuse by is noted in the record.
    private func allowance(
        for request: AccessRequest, _ record: inout RequestRecord
    ) throws(Problem) -> AccessDecision.Allowance {
        let decision = snapshot.decision(for: request)
        if record.audit != nil { note(decision, on: request, &record) }
        switch decision {
        case .allowed(let allowance): return allowance
        case .unmet(let constraints, let rule):
            record.rule = rule
            record.reason = "constraint"
            throw .constraint(constraints)
        case .denied(let denial):
            record.rule = denial.rule
            record.reason = denial.reason.code
            switch denial.reason {
            case .path(let refusal):
                throw .validation(
                    [FieldFailure("path", refusal.description)], recovery: refusal.recoverySuggestion)
            case .expiry: throw .impossibleExpiry(request.expiresIn ?? 0)
            case .noRule, .noGrant, .deny:
                if denial.isGuest { throw .credentialsMissing }
                throw snapshot.explainsDenials ? .forbidden(denial.explanation(of: request.action)) : .forbidden
            }
        }
    }

    /// Only the audit asks for it, and few have one.
    @inline(never)
    private func note(_ decision: AccessDecision, on request: AccessRequest, _ record: inout RequestRecord) {
        record.audit?.note(decision, on: request, by: snapshot.policy)
    }
}

extension AccessDecision.Denial {
    /// Why, with the rule's place in the configuration; for whoever develops against it.
    fileprivate func explanation(of action: AccessAction) -> String {
        let place = rule.map { "`\($0.pattern)` (\($0.position))" } ?? "?"
        return switch reason {
        case .noRule: "no-rule: no rule of this store matches the path"
        case .noGrant: "no-grant: the rule \(place) does not grant you `\(action.name)`"
        case .deny: "deny: the denial \(place) matches the path"
        case .path, .expiry: reason.code
        }
    }
}

extension Problem {
    /// 400: S3 takes no URL that lives for so many seconds.
    fileprivate static func impossibleExpiry(_ asked: Int64) -> Problem {
        .validation(
            [FieldFailure("expiresIn", "\(asked) is outside 1...604800 seconds.")],
            recovery: "Ask for 1 second to 7 days (604800 seconds).")
    }

    /// 400: a store that is not configured; of a link also one without links, and links do not tell the two apart.
    fileprivate static func unknownStore(_ name: String, route: Route) -> Problem {
        let detail = route == .link ? "there is no store of this name with links" : "there is no store `\(name)`"
        return .validation([FieldFailure("store", detail)], recovery: "Leave it out for the default store.")
    }
}
