package import HTTP1
package import HTTPServer
import Telemetry
import Text

/// One event loop's side of the listener that is for metrics alone. What it answers is neither logged nor counted: those
/// who ask here are few, known, and ask for ever.
package struct MetricsHandler: HTTPHandler {
    private let service: Service
    private var requestIDs: RequestIDSource
    /// What its answers have in common; all others have it in the fields of their request's id.
    private let commonFields = HTTPFields([("cache-control", "no-store")])

    /// The side of one loop.
    ///
    /// - Parameter loop: makes the ids that it gives differ from those of other loops.
    package init(_ service: Service, loop: Int) {
        self.service = service
        requestIDs = RequestIDSource(start: service.requestIDStart + "m\(loop)")
    }

    /// No request here has a body.
    package mutating func body(for head: HTTPRequest) -> HTTPBodyDecision { .read(limit: 0) }

    /// The report, made beside the loop; or why there is none.
    package mutating func respond(to request: HTTPRequest, deferral: HTTPDeferral) -> HTTPResponse? {
        guard Route(request) == .metrics else {
            var problem = Problem.notFound
            problem.recoverySuggestion = "GET /metrics; the service has an address of its own."
            return refusal(problem, request.headers)
        }
        guard Route.metrics.takes(request.method) else {
            return refusal(.methodNotAllowed(Route.metrics.allow), request.headers)
        }
        if request.method == .options {
            var response = HTTPResponse(status: 204)
            response.add("allow", Route.metrics.allow)
            return decorated(response)
        }
        let common = commonFields
        service.reportMetrics { text in
            var response = MetricsAnswer.response(text)
            response.fields.append(common)
            deferral.complete(with: response)
        }
        return nil
    }

    /// What the server itself refuses, in the form of all refusals.
    package mutating func response(to failure: HTTPFailure, of request: HTTPFailedRequest) -> HTTPResponse {
        refusal(Problem(failure), request.head?.headers)
    }

    private mutating func refusal(_ problem: Problem, _ headers: HTTPHeaders?) -> HTTPResponse {
        decorated(problem.response(requestID: requestIDs.next(given: headers?.first(.requestID))))
    }

    private func decorated(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        response.fields.append(commonFields)
        return response
    }
}
