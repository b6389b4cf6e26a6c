package import HTTP1

/// Decides how a server handles requests. Each loop has its own instance and calls it on that loop only, so a handler
/// needs no locks for its own state. It must never block.
package protocol HTTPHandler {
    /// Decides what to do with a request. Called once for every well-formed head, before the body is read and before
    /// 100 (Continue) is sent.
    mutating func body(for head: HTTPRequest) -> HTTPBodyDecision

    /// Returns the response to a failure of a request without a responder. The status should be `failure.status`.
    ///
    /// The server closes the connection afterwards, except after `overloaded`. It reuses the responses to failures for
    /// lack of capacity for up to a second; see `CachedRefusals`.
    mutating func response(to failure: HTTPFailure, of request: HTTPFailedRequest) -> HTTPResponse

    /// Whether a request, such as a liveness probe, is served even under overload. Called only under overload. The
    /// default is false.
    func isExemptFromShedding(_ request: HTTPRequest) -> Bool
}

extension HTTPHandler {
    /// No request is exempt.
    package func isExemptFromShedding(_ request: HTTPRequest) -> Bool { false }
}
