package import HTTP1
import System

/// What to do about a request whose head is known.
package enum HTTPBodyDecision {
    /// Read the body, if there is one, up to this many bytes (never more than `HTTPLimits.bodyBytes`); then respond.
    case read(limit: Int)
    /// Hand the body over as it arrives, up to this many bytes; the receiver answers instead of the handler.
    case stream(limit: Int, any HTTPBodyReceiver)
    /// Answer now. A small body is read and thrown away; before a larger one the connection is closed.
    case refuse(HTTPResponse)
}

/// Takes one request's content as it arrives, and answers when it is complete. It is called on its connection's loop
/// only, and released without a word when the connection ends before the request does.
package protocol HTTPBodyReceiver: AnyObject {
    /// The next bytes of content, in order, never none; they must not be kept beyond the call, since they share the
    /// loop's read buffer. A response ends the request there: the connection is closed after it.
    func receive(_ content: ArraySlice<UInt8>) -> HTTPResponse?

    /// The content is complete; there may have been none. Answers as `HTTPHandler.respond(to:deferral:)` does.
    func finish(deferral: HTTPDeferral) -> HTTPResponse?
}
