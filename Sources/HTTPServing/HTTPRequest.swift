/// A request: views of the bytes received, none of them decoded.
///
/// It shares the memory it was read into. A handler that answers later should keep what it needs, not the request:
/// holding it makes the loop copy its whole read buffer.
public struct HTTPRequest: Sendable {
    /// The method, as sent.
    public var method: HTTPMethod
    /// The target's path as sent, percent-encoded, before any `?`; `*` for `OPTIONS *`.
    public var path: ArraySlice<UInt8>
    /// What follows the first `?`; nil if there is none.
    public var query: ArraySlice<UInt8>?
    /// The header fields; trailer fields never get here.
    public var headers: HTTPHeaders
    /// The content, without chunk framing; empty when the request has none, and while only its head is known.
    public var body: ArraySlice<UInt8>
    /// Where the connection comes from.
    public var peer: PeerAddress
    /// The version in the request line.
    public var version: HTTPVersion

    /// A request put together by hand, as for tests of a handler.
    public init(
        method: HTTPMethod = .get, path: ArraySlice<UInt8>, query: ArraySlice<UInt8>? = nil,
        headers: HTTPHeaders = HTTPHeaders(), body: ArraySlice<UInt8> = [], peer: PeerAddress = .unix,
        version: HTTPVersion = .http1_1
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.peer = peer
        self.version = version
    }

    /// The request whose head was parsed at `base` in `bytes`.
    init(_ head: RequestHead, in bytes: [UInt8], at base: Int, from peer: PeerAddress) {
        method = head.method
        // An absolute target may have no path at all; RFC 9110 4.2.3 makes that the root.
        path = head.path.isEmpty ? [ASCII.slash] : bytes[head.path.offset(by: base)]
        query = head.query.map { bytes[$0.offset(by: base)] }
        headers = HTTPHeaders(bytes: bytes, base: base, fields: head.fields)
        body = []
        self.peer = peer
        version = head.version
    }
}
