internal import Bytes
package import TransportSecurity

/// A request: views of the received bytes, nothing decoded or repaired.
///
/// It holds the memory it was received in, which a server uses again and again: who keeps a request beyond the call it
/// came in keeps that memory from being used.
public struct HTTPRequest: Sendable {
    /// The method, as sent.
    public let method: HTTPMethod
    /// Where the connection comes from.
    public let peer: PeerAddress
    /// The version in the request line.
    public let version: HTTPVersion
    /// When the bytes that completed the head were read.
    public let received: MonotonicTime
    /// The certificate by which the client has shown who it is, verified; nil without one, and without TLS.
    package let certificate: PeerCertificate?
    /// The header fields; trailer fields never get here.
    public let headers: HTTPHeaders
    // Where these stand in the message's bytes; the content, unless it came in chunks.
    private let pathRange: ByteRange
    private let queryRange: ByteRange?
    private var contentRange = ByteRange()
    private var chunks: [UInt8] = []

    /// The target's path as sent, percent-encoded, before any `?`; `*` for `OPTIONS *`.
    public var path: ArraySlice<UInt8> {
        guard pathRange.isEmpty else { return bytes(pathRange) }
        // An absolute target may have no path at all; RFC 9110 4.2.3 makes that the root, but for OPTIONS the server.
        return method == .options && queryRange == nil ? [ASCII.asterisk] : [ASCII.slash]
    }

    /// What follows the first `?`; nil if there is none.
    public var query: ArraySlice<UInt8>? { queryRange.map { bytes($0) } }

    /// The content, without chunk framing; empty when the request has none, and while only its head is known.
    public var body: ArraySlice<UInt8> { chunks.isEmpty ? bytes(contentRange) : chunks[...] }

    private func bytes(_ range: ByteRange) -> ArraySlice<UInt8> { headers.bytes[range.offset(by: headers.base)] }

    /// Whether the path is exactly this one.
    public func hasPath(_ path: StaticString) -> Bool {
        headers.bytes.span.extracting(pathRange.offset(by: headers.base)).equals(path)
    }

    /// A request put together by hand, as for tests of a handler.
    public init(
        method: HTTPMethod = .get, path: ArraySlice<UInt8>, query: ArraySlice<UInt8>? = nil,
        headers: HTTPHeaders = HTTPHeaders(), body: ArraySlice<UInt8> = [], peer: PeerAddress = .unix,
        version: HTTPVersion = .http1_1
    ) {
        let start = headers.bytes.count
        pathRange = ByteRange(start, start + path.count)
        queryRange = query.map { ByteRange(start + path.count, start + path.count + $0.count) }
        self.headers = headers.with(bytes: headers.bytes + path + (query ?? []))
        self.method = method
        self.peer = peer
        self.version = version
        received = .now()
        certificate = nil
        chunks = Array(body)
    }

    /// The request whose head was parsed at `base` in `bytes`.
    init(
        _ parser: borrowing RequestParser, in bytes: [UInt8], at base: Int, from peer: PeerAddress,
        received: MonotonicTime, certificate: PeerCertificate? = nil
    ) {
        method = parser.head.method
        version = parser.head.version
        self.peer = peer
        self.received = received
        self.certificate = certificate
        headers = HTTPHeaders(bytes: bytes, base: base, fields: parser.fields)
        pathRange = parser.head.path
        queryRange = parser.head.query
    }

    /// Gives the request the content that the parser has kept of its message, which is complete.
    mutating func carry(_ parser: borrowing RequestParser) {
        guard parser.use == .kept else { return }
        if parser.head.isChunked {
            chunks = parser.content
        } else if let length = parser.head.contentLength {
            contentRange = ByteRange(parser.position - length, parser.position)
        }
    }
}
