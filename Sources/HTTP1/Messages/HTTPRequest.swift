package import System
import Text

/// A request as views of the received bytes; nothing is decoded or repaired.
///
/// It shares the server's read buffer. Code that needs parts of a request after the call that passed it should copy
/// those parts instead of keeping the request.
package struct HTTPRequest: Sendable {
    /// The method, as sent.
    package internal(set) var method = HTTPMethod.get
    /// The client's address.
    package internal(set) var peer = PeerAddress.unix
    /// The version in the request line.
    package internal(set) var version = HTTPVersion.http1_1
    /// When the bytes that completed the request were read; while only the head is complete, when its last bytes were
    /// read.
    package var received = MonotonicTime(nanoseconds: 0)
    /// The client's verified certificate; nil if it sent none, and without TLS.
    package internal(set) var certificate: PeerCertificate?
    /// The header fields. Trailer fields are dropped.
    package var headers = HTTPHeaders()
    // Ranges of the message's bytes. `contentRange` is empty if the content came in chunks; it is then in `chunks`.
    package var pathRange = ByteRange()
    var queryRange: ByteRange?
    package var contentRange = ByteRange()
    var chunks: [UInt8] = []

    /// The target's path as sent, percent-encoded, before any `?`; `*` for `OPTIONS *`.
    package var path: ArraySlice<UInt8> {
        guard pathRange.isEmpty else { return bytes(pathRange) }
        // An absolute target may have an empty path, which means `/` (RFC 9110 4.2.3), or `*` for OPTIONS (RFC 9112
        // 3.2.4).
        return method == .options && queryRange == nil ? [ASCII.asterisk] : [ASCII.slash]
    }

    /// The part of the target after the first `?`; nil without a `?`.
    package var query: ArraySlice<UInt8>? { queryRange.map { bytes($0) } }

    /// The content without chunk framing; empty if the request has none, and while only its head is complete.
    package var body: ArraySlice<UInt8> { chunks.isEmpty ? bytes(contentRange) : chunks[...] }

    private func bytes(_ range: ByteRange) -> ArraySlice<UInt8> { headers.bytes[range.offset(by: headers.base)] }

    /// Creates a request from its parts, for tests of a handler.
    package init(
        method: HTTPMethod = .get, path: ArraySlice<UInt8>, query: ArraySlice<UInt8>? = nil,
        headers: HTTPHeaders = HTTPHeaders(), body: ArraySlice<UInt8> = [], peer: PeerAddress = .unix,
        version: HTTPVersion = .http1_1
    ) {
        let start = headers.bytes.count
        pathRange = ByteRange(start, start + path.count)
        queryRange = query.map { ByteRange(start + path.count, start + path.count + $0.count) }
        self.headers = headers
        self.headers.bytes += path + (query ?? [])
        self.method = method
        self.peer = peer
        self.version = version
        received = .now()
        chunks = Array(body)
    }

    /// Creates a request over a buffer whose message is not parsed yet.
    package init(receiving bytes: [UInt8]) { headers.bytes = bytes }

    /// Clears the content and the certificate of this request, so that its buffers can serve the next one.
    package mutating func end() {
        contentRange = ByteRange()
        if !chunks.isEmpty { chunks = [] }
        if certificate != nil { certificate = nil }
    }

    /// Returns this request with its own copy of `range`, which begins at the message's first byte. This one keeps its
    /// buffer for the next message.
    package mutating func moveOut(_ range: Range<Int>) -> HTTPRequest {
        var moved = self
        moved.headers.bytes = Array(headers.bytes[range])
        moved.headers.base = 0
        headers.fields = FieldTable()
        end()
        return moved
    }
}

extension HTTPRequest {
    /// Returns the scheme and the host that the request was sent to; nil if its host is missing, or is neither a host
    /// name nor an IP address.
    package func origin(isSecure: Bool) -> String? {
        guard let host = headers.first(.host).map({ Array($0) }),
            let authority = try? Authority(host.span, allowsEmptyPort: true), authority.port != 0
        else { return nil }
        let name = host[authority.hostRange]
        // A name may end in a dot, which stands for the root of the DNS.
        let isName = (name.last == ASCII.dot ? name.dropLast() : name).span.isHostName
        guard authority.host != .name || isName else { return nil }
        let port = authority.port.map { ":\($0)" } ?? ""
        return "\(isSecure ? "https" : "http")://" + String(decoding: name, as: UTF8.self) + port
    }
}
