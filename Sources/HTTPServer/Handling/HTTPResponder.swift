package import HTTP1

/// One request from its head to its response: holds what the handler found out when the head arrived.
///
/// The connection keeps it until the response is there and calls it on the connection's loop only. It is released without
/// a call when the connection ends first.
package protocol HTTPResponder: AnyObject {
    /// Takes the next bytes of streamed content, in order, never none. The bytes share the loop's read buffer and must not
    /// be kept beyond the call. A response ends the request there: the connection is closed after it.
    func receive(_ content: ArraySlice<UInt8>) -> HTTPResponse?

    /// Responds to a complete request. To respond later, keep `deferral`, return nil, and complete it from any thread; no
    /// later request of that connection is looked at until then.
    ///
    /// - Parameter request: without content if the content was streamed.
    func respond(to request: HTTPRequest, deferral: HTTPDeferral) -> HTTPResponse?

    /// Responds to a failure of the request after its head, as `HTTPHandler.response(to:of:)` does before it.
    ///
    /// - Parameter request: what is known of it; once its response is deferred, no more than the peer.
    /// - Returns: nil if the deferred response is just being completed, which the server then waits for.
    func response(to failure: HTTPFailure, of request: HTTPFailedRequest) -> HTTPResponse?
}

extension HTTPResponder {
    /// Ignores streamed content.
    package func receive(_ content: ArraySlice<UInt8>) -> HTTPResponse? { nil }
}
