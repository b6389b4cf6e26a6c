import HTTP1
package import HTTPServer
import Presigning
import System
import Telemetry

extension Service {
    /// A handler for one event loop.
    package func makeHandler(loop: Int) -> any HTTPHandler { ServiceHandler(self, loop: loop) }
}

/// One event loop's side of the service: begins each request with the snapshot of that moment, which the request keeps.
final class ServiceHandler: HTTPHandler {
    /// Keeps derived signing keys from one request to the next.
    var presigner = Presigner()
    private let service: Service
    private var endpoint: Endpoint
    /// The number of the endpoint's snapshot.
    private var version: Int
    private var requestIDs: RequestIDSource

    /// - Parameter loop: tells the request ids of this loop from those of others.
    init(_ service: Service, loop: Int) {
        self.service = service
        let (snapshot, version) = service.currentSnapshot()
        endpoint = Endpoint(
            service, snapshot, service.metrics.makeShard(), lane: service.requestLog?.makeBuffer(),
            auditLane: service.audit?.makeBuffer())
        self.version = version
        requestIDs = RequestIDSource(start: service.requestIDStart + "\(loop)")
    }

    func body(for head: HTTPRequest) -> HTTPBodyDecision {
        request(head).decideBody(of: head)
    }

    func response(to failure: HTTPFailure, of request: HTTPFailedRequest) -> HTTPResponse {
        if let head = request.head { return self.request(head).refuse(failure, request) }
        let record = RequestRecord(
            requestID: requestIDs.next(), method: request.method, path: request.path.map { Array($0) },
            peer: request.peer, started: request.began ?? .now())
        return ServiceRequest(record, origin: nil, currentEndpoint(), self).refuse(failure, request)
    }

    /// An orchestrator kills a process that does not respond to its health checks, and being busy is no reason for that.
    /// Preflights are cheap, and without them a page cannot read any other response.
    func mustAnswer(_ request: HTTPRequest) -> Bool {
        request.hasPath("/healthz") || request.hasPath("/readyz") || request.method == .options
    }

    /// Begins a request: gives it its id, its route and its configuration.
    private func request(_ head: HTTPRequest) -> ServiceRequest {
        let endpoint = currentEndpoint()
        let record = RequestRecord(
            requestID: requestIDs.next(given: head.headers.first(.requestID)), method: head.method,
            path: Array(head.path), peer: head.peer, started: head.received,
            trace: head.headers.contains(.traceParent) ? TraceContext(head.headers) : nil,
            route: endpoint.route(of: head))
        return ServiceRequest(record, origin: endpoint.origin(of: head), endpoint, self)
    }

    private func currentEndpoint() -> Endpoint {
        if !service.isCurrent(version) {
            let (snapshot, version) = service.currentSnapshot()
            endpoint = Endpoint(
                service, snapshot, endpoint.shard, lane: endpoint.lane, auditLane: endpoint.auditLane)
            self.version = version
        }
        return endpoint
    }
}
