/// What to do about a request whose head is known.
public enum HTTPBodyDecision: Sendable {
    /// Read the body, if there is one, up to this many bytes (never more than `HTTPLimits.bodyBytes`); then respond.
    case read(limit: Int)
    /// Answer now. A small body is read and thrown away; before a larger one the connection is closed.
    case refuse(HTTPResponse)
}
