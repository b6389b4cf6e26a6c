package import HTTP1
import Presigning
import Telemetry
import UploadPage

/// Answers requests by one snapshot: the way of a request from its headers to its answer.
///
/// Nothing of it ever changes, so that a request looks at all of it without counting a reference; what does change is the
/// request's record, and the loop's bench.
final class ServiceHandler: Sendable {
    let service: Service
    let snapshot: ServiceSnapshot
    /// Where the thread that owns it counts.
    let shard: MetricShard
    /// What an answer in JSON has. Each handler has its own, as threads that count the same memory wait for each other.
    let jsonFields = HTTPFields([("content-type", "application/json")])
    /// Where the lines of requests go; nil when there are none.
    let lane: LogLane?
    /// Where the lines of the audit go; nil while it is off.
    let auditLane: LogLane?

    init(
        _ service: Service, _ snapshot: ServiceSnapshot, _ shard: MetricShard, lane: LogLane?, auditLane: LogLane?
    ) {
        self.service = service
        self.snapshot = snapshot
        self.shard = shard
        self.lane = lane
        self.auditLane = auditLane
        shard.addStores(snapshot.stores.all.map(\.configuration.name))
    }

    /// Counts a URL for a store of the snapshot.
    func count(_ operation: AWSS3SigningOperation, in store: Store) {
        shard.noteURL(operation, store: store.configuration.name)
    }

    /// Handles a request whose body is there.
    func step(
        for request: HTTPRequest, _ record: inout RequestRecord, _ bench: inout Workbench
    ) throws(Problem) -> RequestStep {
        let route = record.route
        try route.check(request.method)
        if request.method == .options { return .answer(try preflight(request, route)) }
        if route.isDecision { beginAudit(of: request, &record) }
        switch route {
        case .presign: return try presign(request, &record, &bench)
        case .batch: return try batch(request, &record)
        case .link: return try link(request, &record, &bench)
        case .page: return .answer(try page(request))
        case .server: return .answer(try preflight(request, route))
        case .healthz: return .answer(.text("ok\n"))
        case .readyz:
            guard service.isReady(snapshot, at: .now()) else {
                throw .credentialsUnavailable(
                    "The service is stopping, or no store has usable credentials",
                    retryAfter: snapshot.stores.secondsToAttempt)
            }
            return .answer(.text("ready\n"))
        case .metrics: return .wait(MetricsAnswer(report: service.reportMetrics))
        case .other: throw .notFound
        }
    }

    /// The route of a request, `other` if there is none here.
    func offeredRoute(of request: borrowing HTTPRequest) -> Route {
        let route = Route(request)
        let isOffered = route == .metrics ? service.offersMetrics : snapshot.offers(route)
        return isOffered ? route : .other
    }

    /// Whether what comes of a request is a decision, which the audit tells.
    static func isDecision(_ head: borrowing HTTPRequest) -> Bool {
        Route(head).isDecision && head.method == .post
    }

    /// The request's origin, where any is known.
    func origin(of request: borrowing HTTPRequest) -> ArraySlice<UInt8>? {
        snapshot.knowsOrigins ? request.headers.first(.origin) : nil
    }

    /// Refuses whom no body should be taken from.
    func admitBody(of head: HTTPRequest, _ record: inout RequestRecord) throws(Problem) {
        let caller = try caller(of: head, at: .now(), &record)
        try checkLimit(of: caller, &record)
        let query = Problem.unreadQuery(head.query)
        guard query == nil, let form = BodyForm(head.headers), record.route.takes(form) else {
            try admit(caller, &record)
            throw query ?? .unsupportedMediaType(head.headers, record.route)
        }
    }

    /// Counts a request whose body is too large, and lets the audit tell of it.
    func noteTooLarge(_ head: HTTPRequest, _ record: inout RequestRecord) {
        beginAudit(of: head, &record)
        record.audit?.note(Problem(HTTPFailure.bodyTooLarge))
        // Who is not let in, or has nothing left, is refused with the same 413.
        guard let caller = try? caller(of: head, at: .now(), &record) else { return }
        try? admit(caller, &record)
    }

    /// From here on the request is one whose outcome the audit tells.
    func beginAudit(of request: HTTPRequest, _ record: inout RequestRecord) {
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

    private func page(_ request: HTTPRequest) throws(Problem) -> HTTPResponse {
        guard let asset = UploadPage.asset(at: request.path) else { throw .notFound }
        return snapshot.response(with: asset)
    }
}

extension HTTPFields {
    package static let text = HTTPFields([("content-type", "text/plain; charset=utf-8")])
}

extension HTTPResponse {
    package static func text(_ text: String) -> HTTPResponse {
        HTTPResponse(status: 200, fields: .text, body: Array(text.utf8))
    }
}
