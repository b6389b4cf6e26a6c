import CallerAuthentication
import HTTP1
import Telemetry
import UploadPage

/// The context in which requests of one event loop are handled: the service, a configuration snapshot, counters and log
/// buffers. Its extensions are the stages of a request; any thread may call them.
final class Endpoint: Sendable {
    let service: Service
    let snapshot: ServiceSnapshot
    /// The event loop's counters.
    let shard: MetricShard
    /// The indices of the stores' counters, by `Store.index`.
    let urlCounters: [Int]
    /// The event loop's buffer of the request log; nil if requests are not logged.
    let logBuffer: LogBuffer?
    /// The event loop's buffer of the audit; nil if the audit is off.
    let auditBuffer: LogBuffer?
    /// Whether this is the metrics' separate address. Its requests are not counted: scrapes would only add noise.
    let offersOnlyMetrics: Bool

    init(
        _ service: Service, _ snapshot: ServiceSnapshot, _ shard: MetricShard, logBuffer: LogBuffer?,
        auditBuffer: LogBuffer?, offersOnlyMetrics: Bool = false
    ) {
        self.service = service
        self.snapshot = snapshot
        self.shard = shard
        self.logBuffer = logBuffer
        self.auditBuffer = auditBuffer
        self.offersOnlyMetrics = offersOnlyMetrics
        urlCounters = shard.note { counts in
            snapshot.stores.all.map { counts.index(ofStore: $0.configuration.name) }
        }
    }

    /// The route stage: returns the route of a path; `other` if the configuration does not offer it.
    func route(of path: ArraySlice<UInt8>) -> Route {
        let route = Route(path: path)
        if offersOnlyMetrics { return route == .metrics ? route : .other }
        if route == .iceberg { return snapshot.remoteStore(of: path) == nil ? .other : route }
        let isOffered = route == .metrics ? service.offersMetrics : snapshot.offers(route)
        return isOffered ? route : .other
    }

    /// Returns 403 for a script of a service worker and for a page's request to sign, 404 for an unknown route, 405 for a
    /// method that the route does not accept, else nil.
    func refusal(of head: HTTPRequest, on route: Route) -> Problem? {
        if head.headers.contains(.serviceWorker) { return .serviceWorker }
        if route == .iceberg, head.headers.contains(.origin) { return .signingFromPage }
        var problem = route.refusal(of: head.method)
        if offersOnlyMetrics, route == .other {
            problem?.recoverySuggestion =
                "Send GET /metrics. Presign requests go to server.listen, not to metrics.listen."
        }
        return problem
    }
}

/// The routes that sign nothing.
extension Endpoint {
    /// `OPTIONS`: the preflight response, or the methods of a route.
    func preflight(_ request: HTTPRequest, _ route: Route) -> HTTPResponse {
        guard let origin = request.headers.first(.origin),
            request.headers.first(.accessControlRequestMethod) != nil
        else {
            var response = HTTPResponse(status: 204)
            response.add("allow", route.allow)
            return response
        }
        return snapshot.cors.preflight(for: origin, methods: route.allow)
    }

    /// A file of the upload page.
    func page(_ request: HTTPRequest) throws(Refusal) -> HTTPResponse {
        guard let page = snapshot.page, let asset = UploadPage.asset(at: request.path) else { throw Refusal(.notFound) }
        return page.response(with: asset, to: request.headers)
    }

    /// `GET /openapi.yaml`.
    func openAPI() -> HTTPResponse {
        var response = HTTPResponse(status: 200, body: EmbeddedFiles.apiDescription)
        response.add("content-type", "application/yaml")
        response.add("x-content-type-options", "nosniff")
        return response
    }

    /// `GET /readyz`.
    func readiness() throws(Refusal) -> HTTPResponse {
        guard let obstacle = service.obstacle(to: snapshot, at: service.time()) else { return .text("ready\n") }
        throw Refusal(
            .credentialsUnavailable(obstacle.rawValue, retryAfter: snapshot.stores.secondsToAttempt))
    }
}
