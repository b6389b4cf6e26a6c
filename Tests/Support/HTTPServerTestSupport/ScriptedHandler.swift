import HTTP1
import HTTPServer

/// A handler with scripted decisions and responses that records its calls.
final class ScriptedHandler: HTTPHandler {
    /// Like `HTTPBodyDecision`, but a read body always uses the handler's own responder.
    enum Decision {
        case read(limit: Int)
        case stream(limit: Int, any HTTPResponder)
        case refuse(HTTPResponse)
        case costly((HTTPRequest) -> HTTPBodyDecision)
    }

    var decision: (HTTPRequest) -> Decision = { _ in .read(limit: 1 << 20) }
    /// How a parsed request responds to a failure; nil: like the handler.
    var failing: ((HTTPFailure) -> HTTPResponse?)?
    var makeResponse: (HTTPRequest, HTTPDeferral) -> HTTPResponse? = { request, _ in
        HTTPResponse(status: 200, body: Array(request.path) + [0x7C] + Array(request.body))
    }
    private(set) var heads: [HTTPRequest] = []
    private(set) var requests: [HTTPRequest] = []
    private(set) var failures: [HTTPFailure] = []
    /// The details of the last failed request.
    private(set) var failed: HTTPFailedRequest?
    /// For each failed request, whether it was already reported.
    private(set) var reported: [Bool] = []

    func body(for head: HTTPRequest) -> HTTPBodyDecision {
        heads.append(head)
        switch decision(head) {
        case .read(let limit): return .read(limit: limit, Responder(self))
        case .stream(let limit, let responder): return .stream(limit: limit, responder)
        case .refuse(let response): return .refuse(response)
        case .costly(let decide): return .costly(decide)
        }
    }

    private final class Responder: HTTPResponder {
        private let handler: ScriptedHandler

        init(_ handler: ScriptedHandler) { self.handler = handler }

        func respond(to request: HTTPRequest, deferrals: HTTPDeferralSource) -> HTTPResponse? {
            handler.requests.append(request)
            return handler.makeResponse(request, deferrals.makeDeferral())
        }

        func response(to failure: HTTPFailure, of request: HTTPFailedRequest) -> HTTPResponse? {
            if let failing = handler.failing { return failing(failure) }
            return handler.response(to: failure, of: request)
        }
    }

    func response(to failure: HTTPFailure, of request: HTTPFailedRequest) -> HTTPResponse {
        failures.append(failure)
        failed = request
        reported.append(request.isAlreadyReported)
        return HTTPResponse(status: failure.status, body: Array(failure.reason.utf8))
    }
}
