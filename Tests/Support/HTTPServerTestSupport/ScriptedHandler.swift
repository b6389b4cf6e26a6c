import HTTP1
import HTTPServer

/// A handler whose decisions and answers a test chooses; it records what it was asked.
final class ScriptedHandler: HTTPHandler {
    var decision: (HTTPRequest) -> HTTPBodyDecision = { _ in .read(limit: 1 << 20) }
    var answer: (HTTPRequest, HTTPDeferral) -> HTTPResponse? = { request, _ in
        HTTPResponse(status: 200, body: Array(request.path) + [0x7C] + Array(request.body))
    }
    private(set) var heads: [HTTPRequest] = []
    private(set) var requests: [HTTPRequest] = []
    private(set) var failures: [HTTPFailure] = []
    /// What was known of the last request that failed.
    private(set) var failed: HTTPFailedRequest?
    /// Of each that failed, whether this was told of it before.
    private(set) var toldOf: [Bool] = []

    func body(for head: HTTPRequest) -> HTTPBodyDecision {
        heads.append(head)
        return decision(head)
    }

    func respond(to request: HTTPRequest, deferral: HTTPDeferral) -> HTTPResponse? {
        requests.append(request)
        return answer(request, deferral)
    }

    func response(to failure: HTTPFailure, of request: HTTPFailedRequest) -> HTTPResponse {
        failures.append(failure)
        failed = request
        toldOf.append(request.isToldOf)
        return HTTPResponse(status: failure.status, body: Array(failure.reason.utf8))
    }
}
