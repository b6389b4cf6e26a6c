package import HTTP1

/// What to do about a request whose head is known.
package enum HTTPBodyDecision {
    /// Read the body, if there is one, up to this many bytes (never more than `HTTPLimits.bodyBytes`); then ask the
    /// responder.
    case read(limit: Int, any HTTPResponder)
    /// Hand the body to the responder as it arrives, up to this many bytes; then ask it.
    case stream(limit: Int, any HTTPResponder)
    /// Respond now. A small body is read and discarded; before a larger one the connection is closed.
    case refuse(HTTPResponse)
}
