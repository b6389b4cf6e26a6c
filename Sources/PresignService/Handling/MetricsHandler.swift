package import HTTP1
package import HTTPServer
import Telemetry

/// Handles the requests of one event loop of the metrics listener. They are neither logged nor counted: scrapes would
/// only add noise.
package struct MetricsHandler: HTTPHandler {
    private let service: Service
    private var requestIDs: RequestIDSource

    /// - Parameter loop: the event loop's index, which keeps its request ids distinct.
    package init(_ service: Service, loop: Int) {
        self.service = service
        requestIDs = RequestIDSource(start: service.requestIDStart + "m\(loop)")
    }

    package mutating func body(for head: HTTPRequest) -> HTTPBodyDecision {
        let responder = responder(head.headers)
        if let request = service.currentSnapshot().0.hosts?.refusal(of: head) {
            return .refuse(responder.response(.misdirected(request)))
        }
        guard Route(path: head.path) == .metrics else {
            var problem = Problem.notFound
            problem.recoverySuggestion =
                "Send GET /metrics. Presign requests go to server.listen, not to metrics.listen."
            return .refuse(responder.response(problem))
        }
        guard Route.metrics.accepts(head.method) else {
            return .refuse(responder.response(.methodNotAllowed(Route.metrics.allow)))
        }
        return .read(limit: 0, responder)
    }

    package mutating func response(to failure: HTTPFailure, of request: HTTPFailedRequest) -> HTTPResponse {
        responder(request.head?.headers).response(Problem(failure))
    }

    private mutating func responder(_ headers: HTTPHeaders?) -> MetricsResponder {
        MetricsResponder(
            service, requestIDs.next(given: headers?.first(.requestID)), prefersText: headers?.prefersText == true)
    }
}

/// Responds to one request of the metrics listener.
private final class MetricsResponder: HTTPResponder {
    private static let commonFields = HTTPFields([("cache-control", "no-store")])

    private let service: Service
    /// Sent with refusals only.
    private let requestID: RequestID
    private let prefersText: Bool

    init(_ service: Service, _ requestID: RequestID, prefersText: Bool) {
        (self.service, self.requestID, self.prefersText) = (service, requestID, prefersText)
    }

    func respond(to request: HTTPRequest, deferrals: HTTPDeferralSource) -> HTTPResponse? {
        if request.method == .options {
            var response = HTTPResponse(status: 204)
            response.add("allow", Route.metrics.allow)
            return Self.decorated(response)
        }
        let deferral = deferrals.makeDeferral()
        service.reportMetrics { deferral.complete(with: Self.decorated(.metrics($0))) }
        return nil
    }

    func response(to failure: HTTPFailure, of request: HTTPFailedRequest) -> HTTPResponse? {
        response(Problem(failure))
    }

    func response(_ problem: Problem) -> HTTPResponse {
        Self.decorated(problem.response(requestID: requestID, as: prefersText ? .text : .json))
    }

    private static func decorated(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        response.fields.append(commonFields)
        return response
    }
}

extension HTTPResponse {
    /// The metrics in the Prometheus text format, version 0.0.4 (Prometheus, "Exposition formats").
    static func metrics(_ text: [UInt8]) -> HTTPResponse {
        HTTPResponse(status: 200, fields: .metrics, body: text)
    }
}

extension HTTPFields {
    fileprivate static let metrics = HTTPFields([("content-type", "text/plain; version=0.0.4; charset=utf-8")])
}
