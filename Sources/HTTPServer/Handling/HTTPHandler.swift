package import HTTP1

/// What the server does with a request whose head is complete.
package enum HTTPBodyDecision {
    /// Reads the body, if any, up to `limit` bytes and never more than `HTTPLimits.bodyBytes`, then calls the
    /// responder.
    case read(limit: Int, any HTTPResponder)
    /// Passes the body to the responder as it arrives, up to `limit` bytes, then asks it for the response.
    case stream(limit: Int, any HTTPResponder)
    /// Responds at once. The server reads and discards a body of up to `HTTPLimits.bodyBytes`, and closes the
    /// connection instead of reading a larger one.
    case refuse(HTTPResponse)
    /// Decides with as much work as a response takes, such as verifying a token, so the server asks only if it does not
    /// shed the request.
    case costly((HTTPRequest) -> HTTPBodyDecision)
}

/// Handles one request from its head to its response, and holds what the handler learned from the head.
///
/// The connection keeps it until the response is available and calls it on the connection's loop only. If the
/// connection ends first, the responder is released without a call.
package protocol HTTPResponder: AnyObject {
    /// Receives the next streamed content, in order and never empty. The bytes share the loop's read buffer and must
    /// not be kept beyond the call.
    ///
    /// - Returns: nil to continue, or a response that ends the request early; the server closes the connection after
    ///   it.
    func receive(_ content: ArraySlice<UInt8>) -> HTTPResponse?

    /// Returns the response to a complete request, or nil to respond later: make a deferral and complete it from any
    /// thread. Until then the server does not parse further requests on that connection.
    ///
    /// - Parameter request: the request, without content if the content was streamed.
    func respond(to request: HTTPRequest, deferrals: HTTPDeferralSource) -> HTTPResponse?

    /// Returns the response to a failure after the head, as `HTTPHandler.response(to:of:)` does before it.
    ///
    /// - Parameter request: the failed request; after its response was deferred, only the client's address is set.
    /// - Returns: nil if another thread is completing the deferred response right now; the server then waits for it.
    func response(to failure: HTTPFailure, of request: HTTPFailedRequest) -> HTTPResponse?
}

extension HTTPResponder {
    /// Ignores streamed content.
    package func receive(_ content: ArraySlice<UInt8>) -> HTTPResponse? { nil }
}

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
