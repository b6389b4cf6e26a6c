import HTTP1
package import HTTPServer
import Presigning
import Requests
import System
import Telemetry

extension Service {
    /// Returns a handler for one event loop.
    ///
    /// - Parameter offersOnlyMetrics: true for the metrics' separate address.
    package func makeHandler(loop: Int, offersOnlyMetrics: Bool = false) -> any HTTPHandler {
        ServiceHandler(self, loop: loop, offersOnlyMetrics: offersOnlyMetrics)
    }
}

/// Handles the requests of one event loop. Each request keeps the snapshot that is current when it starts.
final class ServiceHandler: HTTPHandler {
    /// Caches derived signing keys across requests.
    var presigner = Presigner()
    private let service: Service
    private var endpoint: Endpoint
    /// The number of the endpoint's snapshot.
    private var version: Int
    private var requestIDs: RequestIDSource

    /// - Parameter loop: the event loop's index, which keeps its request ids distinct.
    init(_ service: Service, loop: Int, offersOnlyMetrics: Bool) {
        self.service = service
        let (snapshot, version) = service.currentSnapshot()
        endpoint = Endpoint(
            service, snapshot, service.metrics.makeShard(),
            logBuffer: offersOnlyMetrics ? nil : service.requestLog?.makeBuffer(),
            auditBuffer: offersOnlyMetrics ? nil : service.audit?.makeBuffer(), offersOnlyMetrics: offersOnlyMetrics)
        self.version = version
        requestIDs = RequestIDSource(start: service.requestIDStart + (offersOnlyMetrics ? "m\(loop)" : "\(loop)"))
    }

    func body(for head: HTTPRequest) -> HTTPBodyDecision {
        request(head).decideBody(of: head)
    }

    func response(to failure: HTTPFailure, of request: HTTPFailedRequest) -> HTTPResponse {
        if let head = request.head { return self.request(head).refuse(failure, request) }
        let endpoint = currentEndpoint()
        let record = RequestRecord(
            requestID: requestIDs.next(), method: request.method,
            path: request.path.map { endpoint.route(of: $0).logged($0) }, peer: request.peer,
            started: request.began ?? service.uptime(), isCounted: !endpoint.offersOnlyMetrics)
        return ServiceRequest(record, ResponseOptions(), endpoint, self).refuse(failure, request)
    }

    /// Health checks bypass load shedding, so that an orchestrator does not kill a busy process. So do preflights:
    /// without them a page cannot read the 503.
    func isExemptFromShedding(_ request: HTTPRequest) -> Bool {
        request.method == .options || [.healthz, .readyz].contains(Route(path: request.path))
    }

    /// Starts a request with its id, its route and the current snapshot.
    private func request(_ head: HTTPRequest) -> ServiceRequest {
        let endpoint = currentEndpoint()
        let route = endpoint.route(of: head.path)
        let record = RequestRecord(
            requestID: requestIDs.next(given: head.headers.first(.requestID)), method: head.method,
            path: route.logged(head.path), peer: head.peer, started: head.received,
            trace: head.headers.contains(.traceParent) ? TraceContext(head.headers) : nil, route: route,
            isCounted: !endpoint.offersOnlyMetrics)
        return ServiceRequest(record, endpoint.responseOptions(of: head, route), endpoint, self)
    }

    private func currentEndpoint() -> Endpoint {
        if !service.isCurrent(version) {
            let (snapshot, version) = service.currentSnapshot()
            endpoint = Endpoint(
                service, snapshot, endpoint.shard, logBuffer: endpoint.logBuffer, auditBuffer: endpoint.auditBuffer,
                offersOnlyMetrics: endpoint.offersOnlyMetrics)
            self.version = version
        }
        return endpoint
    }
}
