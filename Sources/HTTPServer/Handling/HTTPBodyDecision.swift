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
}
