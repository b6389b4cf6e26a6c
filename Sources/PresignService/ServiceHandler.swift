import HTTPServing
import Presigning
import SystemInterface

/// One event loop's side of the service: routes, and the path of a request from headers to answer.
///
/// Its loop owns it, so its presigner and its counter need no lock.
struct ServiceHandler: HTTPHandler {
    let service: Service
    /// What the request at hand is answered by.
    private(set) var snapshot: ServiceSnapshot
    private var version: Int
    var presigner = Presigner()
    private var requestIDs: RequestIDSource
    private(set) var buffer: LogLineBuffer
    let shard: MetricShard
    /// Of each store of the snapshot.
    private var counters: [(store: Store, counters: StoreCounters)] = []

    init(_ service: Service, loop: Int) {
        self.service = service
        (snapshot, version) = service.currentSnapshot()
        buffer = LogLineBuffer(lane: service.requestLog?.makeLane(), auditLane: service.audit?.makeLane())
        requestIDs = RequestIDSource(start: service.requestIDStart + "\(loop)")
        shard = service.metrics.makeShard()
        findCounters()
    }

    /// One that decides beside the loops, by a snapshot that a request has taken; for one request, and no others.
    ///
    /// - Parameter shard: of the loop that has the request.
    init(_ service: Service, _ snapshot: ServiceSnapshot, _ buffer: LogLineBuffer, _ shard: MetricShard) {
        self.service = service
        self.snapshot = snapshot
        self.buffer = buffer.another()
        version = 0
        requestIDs = RequestIDSource(start: "")
        self.shard = shard
        findCounters()
    }

    /// What the head alone decides is answered before a body is waited for.
    mutating func body(for head: HTTPRequest) -> HTTPBodyDecision {
        takeSnapshot()
        let limit: Int
        do throws(Problem) {
            var label = RouteLabel.other
            let route = try route(of: head, &label)
            limit = snapshot.bodies.limit(of: route)
            guard route.takesBody, head.method == .post,
                head.headers.contains(.expect) || snapshot.bodies.isLarge(head, for: route)
            else { return .read(limit: limit) }
        } catch {
            return .refuse(refusal(of: head, error, record(of: head)))
        }
        // A client that asks before it sends is told everything it can be told; and a large body is kept for callers only.
        var record = record(of: head)
        do throws(Problem) {
            try admitBody(of: head, &record)
            return .read(limit: limit)
        } catch {
            return .refuse(refusal(of: head, error, record))
        }
    }

    /// Every request takes its snapshot first. One whose body is still on its way when the configuration changes takes
    /// another when it is whole: then its decision is made, by that one alone.
    private mutating func takeSnapshot() {
        guard !service.isCurrent(version) else { return }
        (snapshot, version) = service.currentSnapshot()
        findCounters()
    }

    private mutating func findCounters() {
        counters = snapshot.stores.all.map { ($0, shard.counters(ofStore: $0.configuration.name)) }
    }

    /// Where the URLs for a store of the snapshot are counted.
    func counters(of store: Store) -> StoreCounters? {
        for index in counters.indices where counters[index].store === store { return counters[index].counters }
        return nil
    }

    private mutating func admitBody(of head: HTTPRequest, _ record: inout RequestRecord) throws(Problem) {
        let caller = try caller(of: head, at: Self.now(), &record)
        try checkLimit(of: caller, &record)
        let route = try route(of: head, &record.route)
        guard let form = BodyForm(head.headers), route.takes(form) else {
            try admit(caller, &record)
            throw route.unsupportedMediaType
        }
    }

    /// The answer to a request of which only the head was looked at.
    private mutating func refusal(
        of head: HTTPRequest, _ problem: Problem, _ record: consuming RequestRecord
    ) -> HTTPResponse {
        var record = record
        record.reason = record.reason ?? problem.code
        record.route = label(of: head)
        if Self.isDecision(head) { beginAudit(of: head, &record) }
        record.audit?.note(problem)
        shard.noteRefusal(problem.code)
        return finish(problem.response(requestID: record.requestID), head.headers.first(.origin), record)
    }

    private static func isDecision(_ head: HTTPRequest) -> Bool {
        Route(head).map(\.isDecision) == true && head.method == .post
    }

    /// The route, and that it takes the method.
    ///
    /// - Parameter label: the route's, once it is known that there is one.
    private func route(of request: HTTPRequest, _ label: inout RouteLabel) throws(Problem) -> Route {
        guard let route = Route(request), offers(route) else { throw .notFound }
        label = route.label
        guard route.takes(request.method) else {
            throw .methodNotAllowed(route.allow)
        }
        return route
    }

    private func offers(_ route: Route) -> Bool {
        if case .metrics = route { return service.offersMetrics }
        return snapshot.offers(route)
    }

    private func label(of request: HTTPRequest?) -> RouteLabel {
        guard let request, let route = Route(request), offers(route) else { return .other }
        return route.label
    }

    private mutating func record(of request: HTTPRequest) -> RequestRecord {
        RequestRecord(
            requestID: requestIDs.id(for: request.headers), method: request.method, path: request.path,
            peer: request.peer, started: request.received, trace: TraceContext(request.headers))
    }

    mutating func respond(to request: HTTPRequest, deferral: HTTPDeferral) -> HTTPResponse? {
        takeSnapshot()
        var record = record(of: request)
        let origin = request.headers.first(.origin)
        do throws(Problem) {
            switch try step(for: request, &record) {
            case .answer(let response): return finish(response, origin, record)
            case .wait(let pending):
                let (shard, isCounted) = (shard, record.route != .metrics)
                if isCounted { shard.noteWaiting(1) }
                // Slices share the loop's read buffer, which must not be held beyond this call.
                let (service, cors, buffer) = (service, snapshot.cors, buffer.another())
                let origin = origin.map { ArraySlice(Array($0)) }
                let kept = record.detached()
                pending.resolve(with: service.existence, for: kept.requestID) { late in
                    var record = kept.detached()
                    record.note(late)
                    var buffer = buffer
                    if isCounted { shard.noteWaiting(-1) }
                    deferral.complete(with: service.finished(late.response, cors, origin, record, &buffer, shard))
                }
                return nil
            }
        } catch {
            record.reason = record.reason ?? error.code
            record.audit?.note(error)
            shard.noteRefusal(error.code)
            return finish(error.response(requestID: record.requestID), origin, record)
        }
    }

    mutating func response(to failure: HTTPFailure, head: HTTPRequest?) -> HTTPResponse {
        takeSnapshot()
        var record = RequestRecord(
            requestID: requestIDs.id(for: head?.headers), method: head?.method ?? .get, path: head?.path ?? [],
            peer: head?.peer, started: head?.received ?? .now(), trace: head.flatMap { TraceContext($0.headers) })
        // As much of it was received as a request may have: it counts as one.
        if failure == .bodyTooLarge, let head, Self.isDecision(head) { noteTooLarge(head, &record) }
        record.reason = failure.reason
        record.route = label(of: head)
        let problem = Problem(failure)
        // What is refused under load is counted by the server: one answer made here may go out many times.
        record.isCounted = failure != .overloaded && failure != .tooManyConnections
        if record.isCounted { shard.noteRefusal(problem.code) }
        let response = problem.response(requestID: record.requestID)
        return finish(response, head?.headers.first(.origin), record)
    }

    /// Counts a request whose body is too large, and lets the audit tell of it.
    private func noteTooLarge(_ head: HTTPRequest, _ record: inout RequestRecord) {
        beginAudit(of: head, &record)
        record.audit?.note(Problem(HTTPFailure.bodyTooLarge))
        // Who is not let in, or has nothing left, is refused with the same 413.
        guard let caller = try? caller(of: head, at: Self.now(), &record) else { return }
        try? admit(caller, &record)
    }

    private mutating func finish(
        _ response: consuming HTTPResponse, _ origin: ArraySlice<UInt8>?, _ record: borrowing RequestRecord
    ) -> HTTPResponse {
        service.finished(response, snapshot.cors, origin, record, &buffer, shard)
    }

    /// What a request's handling comes to.
    enum Step {
        case answer(HTTPResponse)
        case wait(any PendingAnswer)
    }

    private mutating func step(for request: HTTPRequest, _ record: inout RequestRecord) throws(Problem) -> Step {
        let route = try route(of: request, &record.route)
        if request.method == .options { return .answer(try preflight(request, route)) }
        if route.isDecision { beginAudit(of: request, &record) }
        switch route {
        case .presign: return try presign(request, &record)
        case .batch: return try batch(request, &record)
        case .link(let path): return try link(path, request, &record)
        case .page(let asset): return .answer(snapshot.response(with: asset))
        case .server: return .answer(try preflight(request, route))
        case .healthz: return .answer(.text("ok\n"))
        case .readyz:
            guard service.isReady(snapshot, at: Self.now()) else {
                throw .credentialsUnavailable(
                    "The service is stopping, or no store has usable credentials",
                    retryAfter: snapshot.stores.secondsToAttempt)
            }
            return .answer(.text("ready\n"))
        case .metrics: return .wait(MetricsAnswer(service: service))
        }
    }

    /// From here on the request is one whose outcome the audit tells.
    private func beginAudit(of request: HTTPRequest, _ record: inout RequestRecord) {
        if service.audit != nil { record.audit = AuditFacts(request.headers, revision: snapshot.revision) }
    }

    private func preflight(_ request: HTTPRequest, _ route: Route) throws(Problem) -> HTTPResponse {
        guard let origin = request.headers.first(.origin),
            request.headers.first(.accessControlRequestMethod) != nil
        else {
            var response = HTTPResponse(status: 204)
            response.add("allow", route.allow)
            return response
        }
        return snapshot.cors.preflight(for: origin, methods: route.allow)
    }

    static func now() -> SigningTime {
        SigningTime(secondsSince1970: WallClock.seconds())
    }
}

extension Service {
    /// Adds what every answer has, and logs and counts the request.
    func finished(
        _ response: consuming HTTPResponse, _ cors: CORSPolicy, _ origin: ArraySlice<UInt8>?,
        _ record: borrowing RequestRecord, _ buffer: inout LogLineBuffer, _ shard: MetricShard
    ) -> HTTPResponse {
        response.fields.reserve(commonFields.bytes.count + record.requestID.bytes.count + 32)
        response.fields.append(commonFields)
        response.add("x-request-id", record.requestID.bytes)
        record.quota?.appendFields(to: &response)
        cors.decorate(&response, for: origin)
        let ended = MonotonicTime.now()
        if record.isCounted {
            shard.noteRequest(
                record.route, status: response.status, nanoseconds: Int(ended.nanoseconds - record.started.nanoseconds))
        }
        audit?.append(record, status: response.status, ended: ended, with: &buffer)
        if let requestLog, let lane = buffer.lane {
            let time = buffer.text(of: ServiceHandler.now())
            buffer.line.removeAll(keepingCapacity: true)
            record.appendLine(status: response.status, at: time, ended: ended, to: &buffer.line)
            requestLog.append(buffer.line.span, to: lane)
        }
        return response
    }
}

extension HTTPFields {
    static let text = HTTPFields([("content-type", "text/plain; charset=utf-8")])
}

extension HTTPResponse {
    static func text(_ text: String) -> HTTPResponse {
        HTTPResponse(status: 200, fields: .text, body: Array(text.utf8))
    }
}
