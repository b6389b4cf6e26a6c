import AccessRules
import CallerAuthentication
import HTTP1
import HTTPServer
import Presigning
import Requests
import System
import Telemetry

/// One request, from its head to its response and log line:
///
///     parse → route → authenticate → limit → decode → authorize → sign → check existence → respond → log
///
/// The server parses and `ServiceHandler` routes. Each other stage is a function of `Endpoint` that returns a result or
/// throws a `Refusal`. This type calls the stages in order and records their results.
final class ServiceRequest: HTTPResponder {
    private let endpoint: Endpoint
    private let handler: ServiceHandler
    private let options: ResponseOptions
    private var record: RequestRecord
    /// Set once the response is deferred.
    private var deferred: DeferredResponse?

    /// - Parameters:
    ///   - record: the record, filled from the head.
    ///   - options: what the head decides about the response.
    init(_ record: RequestRecord, _ options: ResponseOptions, _ endpoint: Endpoint, _ handler: ServiceHandler) {
        self.record = record
        self.options = options
        self.endpoint = endpoint
        self.handler = handler
    }

    /// Refuses a request by its head, before its body is received. An upload is redirected then, because a client that
    /// waits for 100 (Continue) sends its body to the storage only.
    func decideBody(of head: HTTPRequest) -> HTTPBodyDecision {
        if let request = endpoint.snapshot.hosts?.refusal(of: head) {
            return refuseAtHead(Refusal(.misdirected(request)))
        }
        if let problem = endpoint.refusal(of: head, on: record.route) { return refuseAtHead(Refusal(problem)) }
        if head.method == .put {
            return .costly { head in
                do throws(Refusal) { return .refuse(try self.redirect(head)) } catch {
                    return self.refuseAtHead(error.ofUpload(head))
                }
            }
        }
        if record.route.readsBody, head.method == .post,
            head.headers.contains(.expect) || endpoint.snapshot.configuration.bodies.isLarge(head, for: record.route)
        {
            return .costly { head in
                do throws(Refusal) { try self.admitBody(of: head) } catch { return self.refuseAtHead(error) }
                return self.readBody
            }
        }
        return readBody
    }

    private var readBody: HTTPBodyDecision {
        .read(limit: endpoint.snapshot.configuration.bodies.limit(of: record.route), self)
    }

    private func refuseAtHead(_ refusal: Refusal) -> HTTPBodyDecision { .refuse(refuse(refusal)) }

    /// Runs the stages of the request's route once its body is complete.
    func respond(to request: HTTPRequest, deferrals: HTTPDeferralSource) -> HTTPResponse? {
        record.started = request.received
        do throws(Refusal) {
            if request.method == .options { return finish(endpoint.preflight(request, record.route)) }
            beginAudit(request)
            switch record.route {
            case .presign: return try presign(.body(asText: options.errorForm == .text), request, deferrals)
            case .link: return try presign(.link, request, deferrals)
            case .share: return try redirect(request)
            case .batch:
                return try presignBatch(request, deferrals) { body, limit throws(Problem) in
                    try PresignBatch(body[...], limit: limit)
                }
            case .lfs: return try presignLFS(request, deferrals)
            case .lfsLocks: throw Refusal(.locksNotImplemented)
            case .iceberg:
                let caller = try authenticate(request, at: endpoint.service.time())
                return finish(
                    try endpoint.signRemotely(request, for: caller, recordingIn: &record, using: &handler.presigner))
            case .permissions: return finish(try permissions(request))
            case .page: return finish(try endpoint.page(request))
            case .healthz: return finish(.text("ok\n"))
            case .readyz: return finish(try endpoint.readiness())
            case .metrics: return reportMetrics(deferrals)
            case .openAPI: return finish(endpoint.openAPI())
            case .asterisk, .other: throw Refusal(.notFound)
            }
        } catch {
            return refuse(error)
        }
    }

    /// Returns the response to a server failure, such as a timeout; nil if the request has ended.
    func response(to failure: HTTPFailure, of request: HTTPFailedRequest) -> HTTPResponse? {
        if let deferred { return deferred.complete(with: Refusal(failure)) }
        return refuse(failure, request)
    }

    /// `POST /presign` and `GET|HEAD /o/{path}`: decides, signs, and asks the storage if that is configured.
    private func presign(
        _ source: PresignSource, _ request: HTTPRequest, _ deferrals: HTTPDeferralSource
    ) throws(Refusal) -> HTTPResponse? {
        let time = endpoint.service.time()
        let (caller, allowance) = try decide(source, request, at: time)
        if record.request.share != nil {
            return finish(
                try endpoint.shareLink(
                    allowance, by: caller, request, asText: options.errorForm == .text, at: time, recordingIn: &record))
        }
        let presigned = try endpoint.presign(
            allowance, from: source, for: caller, at: time, recordingIn: &record, using: &handler.presigner)
        let response = source.response(with: presigned, to: caller, by: endpoint.snapshot.authenticator)
        guard let check = presigned.check else { return finish(response) }
        // The response to HEAD describes the object, so the client gets no URL.
        let isDescribed = request.method == .head
        if isDescribed { record.signed = nil }
        return awaitStorage(
            check, of: LimitKey(caller, from: record.client), then: isDescribed ? nil : response, deferrals)
    }

    /// Authenticates, then decides by the rules; the same for `POST /presign` and for a link.
    private func decide(
        _ source: PresignSource, _ request: HTTPRequest, at time: SigningTime
    ) throws(Refusal) -> (Caller, AccessDecision.Allowance) {
        let caller = try authenticate(request, at: time)
        let allowance = try endpoint.authorize(source, for: caller, recordingIn: &record) { () throws(Problem) in
            if case .link = source { try endpoint.fields(ofLink: request) } else { try endpoint.fields(of: request) }
        }
        return (caller, allowance)
    }

    /// `PUT /o/{path}` and `GET|HEAD|PUT /s/{token}`: decides, and redirects if the client need not add headers.
    private func redirect(_ request: HTTPRequest) throws(Refusal) -> HTTPResponse {
        beginAudit(request)
        let time = endpoint.service.time()
        let (caller, allowance) =
            record.route == .share ? try useShare(request, at: time) : try decide(.link, request, at: time)
        let source: PresignSource = record.route == .share ? .share : .link
        let presigned = try endpoint.presign(
            allowance, from: source, for: caller, at: time, recordingIn: &record, using: &handler.presigner)
        if let problem = request.refusalToRedirect(to: presigned.url) { throw Refusal(problem) }
        return finish(source.response(with: presigned, to: caller, by: endpoint.snapshot.authenticator))
    }

    /// Opens a share link, then decides as for the caller who made it.
    private func useShare(
        _ request: HTTPRequest, at time: SigningTime
    ) throws(Refusal) -> (Caller, AccessDecision.Allowance) {
        record.relayed = try endpoint.forwarding(of: request, at: record.started)?.client
        record.rateLimit = try endpoint.limitShareUse(from: record.client, at: record.started)
        let minter = try endpoint.openShare(request, at: time, recordingIn: &record)
        record.caller = minter
        return (minter, try endpoint.decide(.share, for: minter, recordingIn: &record))
    }

    /// `POST /lfs/{repository}/objects/batch`: a batch in the format of Git LFS.
    private func presignLFS(_ request: HTTPRequest, _ deferrals: HTTPDeferralSource) throws(Refusal) -> HTTPResponse? {
        guard let configuration = endpoint.snapshot.configuration.lfs else { throw Refusal(.notFound) }
        let repository = Route.lfsRepository(of: request)
        return try presignBatch(request, deferrals) { body, limit throws(Problem) in
            try LFSBatch(body, of: repository, in: configuration, limit: limit)
        }
    }

    /// `POST /presign/batch`: authenticates, then hands the batch to the batch queue.
    private func presignBatch(
        _ request: HTTPRequest, _ deferrals: HTTPDeferralSource, decodedBy decode: @escaping BatchJob.Decoder
    ) throws(Refusal) -> HTTPResponse? {
        let caller = try authenticate(request, at: endpoint.service.time())
        record.rateLimit = try endpoint.limit(caller, from: record.client, at: record.started, counts: false)
        let deferral = deferrals.makeDeferral()
        guard let charge = deferral.charge(request.body.count) else { throw Refusal(.buffersFull) }
        let deferred = DeferredResponse(record, options, endpoint, charge: charge)
        let batch = BatchJob(
            body: Array(request.body), refusal: endpoint.headRefusal(request, record.route), decode: decode,
            caller: caller,
            record: record, endpoint: endpoint, deferred: deferred, completion: { deferral.complete(with: $0) })
        self.deferred = deferred
        endpoint.service.batches.add(batch, of: LimitKey(caller, from: record.client))
        return nil
    }

    /// `GET /permissions`: authenticates, then reports what the caller may do.
    private func permissions(_ request: HTTPRequest) throws(Refusal) -> HTTPResponse {
        let caller = try authenticate(request, at: endpoint.service.time())
        let response = try endpoint.permissions(of: caller, request, &record)
        // Nothing was issued, so the audit records only refusals.
        record.isAudited = false
        return response
    }

    /// The check-existence stage: sends the signed HEAD.
    ///
    /// - Parameter response: what is returned if the object exists; nil for what the storage says about it.
    private func awaitStorage(
        _ check: PresignResponse.Check, of caller: LimitKey, then response: HTTPResponse?,
        _ deferrals: HTTPDeferralSource
    ) -> HTTPResponse? {
        let deferred = DeferredResponse(record, options, endpoint)
        self.deferred = deferred
        let deferral = deferrals.makeDeferral()
        endpoint.service.existence.head(check.url, caller) { outcome in
            let finished: HTTPResponse?
            do throws(Problem) {
                finished = deferred.complete(with: try outcome.response(for: check.key, existing: response))
            } catch {
                finished = deferred.complete(with: Refusal(error))
            }
            if let finished { deferral.complete(with: finished) }
        }
        return nil
    }

    /// `GET /metrics`: writes the metrics on another thread.
    private func reportMetrics(_ deferrals: HTTPDeferralSource) -> HTTPResponse? {
        let deferred = DeferredResponse(record, options, endpoint)
        self.deferred = deferred
        let deferral = deferrals.makeDeferral()
        endpoint.service.reportMetrics { text in
            let response = HTTPResponse(status: 200, fields: .metrics, body: text)
            if let response = deferred.complete(with: response) { deferral.complete(with: response) }
        }
        return nil
    }

    /// The authenticate stage. Runs once per request: the result from the head also applies to the body.
    private func authenticate(_ request: HTTPRequest, at time: SigningTime) throws(Refusal) -> Caller {
        if let caller = record.caller { return caller }
        let forwarded = try endpoint.forwarding(of: request, at: record.started)
        record.relayed = forwarded?.client
        let caller = try endpoint.caller(
            of: request, forwarded, from: record.client, at: time, record.started,
            acceptsBasic: record.route.acceptsBasic)
        record.caller = caller
        return caller
    }

    /// Runs authenticate and limit on the head, for a client that sends `Expect: 100-continue` and for large bodies,
    /// which only authenticated callers may send; and refuses a body that could not be valid.
    private func admitBody(of head: HTTPRequest) throws(Refusal) {
        beginAudit(head)
        let caller = try authenticate(head, at: endpoint.service.time())
        record.rateLimit = try endpoint.limit(caller, from: record.client, at: record.started, counts: false)
        guard let refusal = endpoint.headRefusal(head, record.route) else { return }
        record.rateLimit = try endpoint.limit(caller, from: record.client, at: record.started)
        throw Refusal(refusal)
    }

    /// Lets the audit record the request, if it is a decision.
    private func beginAudit(_ request: HTTPRequest) {
        guard endpoint.auditBuffer != nil, record.route.isDecision else { return }
        record.isAudited = true
        record.userAgent = request.headers.first(.userAgent).map {
            Array($0.prefix(RequestRecord.maximumUserAgentLength))
        }
    }

    private func finish(_ response: consuming HTTPResponse) -> HTTPResponse {
        endpoint.finish(&record, with: response, options)
    }

    private func refuse(_ refusal: Refusal) -> HTTPResponse {
        record.add(refusal)
        var response = refusal.problem.response(requestID: record.requestID, as: options.errorForm)
        if response.status == 401, options.challengesBasic { response.add("www-authenticate", Problem.basicChallenge) }
        return finish(response)
    }

    /// Returns the response to a server failure before the request was complete.
    func refuse(_ failure: HTTPFailure, _ request: HTTPFailedRequest) -> HTTPResponse {
        record.isLogged = !request.isAlreadyReported
        // The server counts these itself, and may send one cached response to many clients.
        record.isCounted = record.isCounted && ![.overloaded, .tooManyConnections, .buffersFull].contains(failure)
        var problem = Problem(failure)
        if failure == .bodyTooLarge {
            let limit = endpoint.snapshot.configuration.bodies.limit(of: record.route)
            problem.recoverySuggestion =
                "Send at most \(limit) bytes of fields to this route, and send a file to the signed URL."
            if let head = request.head { countTooLarge(head) }
        }
        return refuse(Refusal(problem, failure.reason))
    }

    /// Counts a request with an oversized body against its caller's rate limit, since its bytes were received.
    private func countTooLarge(_ head: HTTPRequest) {
        guard record.route.isDecision, record.route != .share else { return }
        beginAudit(head)
        do throws(Refusal) {
            let caller = try authenticate(head, at: endpoint.service.time())
            record.rateLimit = try endpoint.limit(caller, from: record.client, at: record.started)
        } catch {
            record.rateLimit = error.rateLimit
        }
    }
}
