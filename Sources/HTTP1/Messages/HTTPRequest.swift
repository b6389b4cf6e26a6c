package import System
package import TLS
import Text

/// A request: views of the received bytes, nothing decoded or repaired.
///
/// It holds the memory it was received in, which a server uses again and again: who keeps a request beyond the call it
/// came in keeps that memory from being used.
package struct HTTPRequest: Sendable {
    /// The method, as sent.
    package internal(set) var method = HTTPMethod.get
    /// Where the connection comes from.
    package internal(set) var peer = PeerAddress.unix
    /// The version in the request line.
    package internal(set) var version = HTTPVersion.http1_1
    /// When the bytes that completed it were read, or those of its head while there are no more.
    package var received = MonotonicTime(nanoseconds: 0)
    /// The certificate by which the client has shown who it is, verified; nil without one, and without TLS.
    package internal(set) var certificate: PeerCertificate?
    /// The header fields; trailer fields never get here.
    package var headers = HTTPHeaders()
    // Where these stand in the message's bytes; the content, unless it came in chunks.
    package var pathRange = ByteRange()
    var queryRange: ByteRange?
    package var contentRange = ByteRange()
    var chunks: [UInt8] = []

    /// The target's path as sent, percent-encoded, before any `?`; `*` for `OPTIONS *`.
    package var path: ArraySlice<UInt8> {
        guard pathRange.isEmpty else { return bytes(pathRange) }
        // An absolute target may have no path at all; RFC 9110 4.2.3 makes that the root, but for OPTIONS the server.
        return method == .options && queryRange == nil ? [ASCII.asterisk] : [ASCII.slash]
    }

    /// What follows the first `?`; nil if there is none.
    package var query: ArraySlice<UInt8>? { queryRange.map { bytes($0) } }

    /// The content, without chunk framing; empty when the request has none, and while only its head is known.
    package var body: ArraySlice<UInt8> { chunks.isEmpty ? bytes(contentRange) : chunks[...] }

    private func bytes(_ range: ByteRange) -> ArraySlice<UInt8> { headers.bytes[range.offset(by: headers.base)] }

    /// Whether the path is exactly this one.
    @inlinable @inline(__always)
    package func hasPath(_ path: StaticString) -> Bool {
        headers.bytes.span.extracting(pathRange.offset(by: headers.base)).equals(path)
    }

    /// A request put together by hand, as for tests of a handler.
    package init(
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
        chunks = Array(body)
    }

    /// Bytes of a message that begins with them; what they say is not known yet.
    package init(receiving bytes: [UInt8]) { headers.bytes = bytes }

    /// Gives up what belongs to this request alone; the memory for bytes and fields stays.
    package mutating func end() {
        contentRange = ByteRange()
        if !chunks.isEmpty { chunks = [] }
        if certificate != nil { certificate = nil }
    }

    /// Moves what is known of the request into memory of its own, which holds only these of the bytes: the message's first
    /// one and all that follow. Until `begin` that is nothing, and what stands there is of an earlier message.
    package mutating func moveOut(_ range: Range<Int>) -> HTTPRequest {
        var moved = HTTPRequest(receiving: Array(headers.bytes[range]))
        swap(&self, &moved)
        swap(&headers.bytes, &moved.headers.bytes)
        moved.headers.base = 0
        return moved
    }
}
