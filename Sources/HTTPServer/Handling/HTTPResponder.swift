package import HTTP1

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

    /// Returns the response to a complete request, or nil to respond later: keep `deferral` and complete it from any
    /// thread. Until then the server does not parse further requests on that connection.
    ///
    /// - Parameter request: the request, without content if the content was streamed.
    func respond(to request: HTTPRequest, deferral: HTTPDeferral) -> HTTPResponse?

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
