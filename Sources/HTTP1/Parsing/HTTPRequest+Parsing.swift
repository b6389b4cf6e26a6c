package import System
package import TLS

extension HTTPRequest {
    /// Takes over the head that `parser` has parsed at `base` of the bytes, with the fields in `headers.fields`.
    package mutating func begin(
        _ parser: RequestParser, at base: Int, from peer: PeerAddress, certificate: PeerCertificate? = nil
    ) {
        method = parser.line.method
        version = parser.message.head.version
        pathRange = parser.line.path
        queryRange = parser.line.query
        headers.base = base
        self.peer = peer
        self.certificate = certificate
    }

    /// Takes over the content that `parser` has kept of the complete message.
    package mutating func takeContent(from parser: MessageParser) {
        guard parser.use == .kept else { return }
        if parser.head.isChunked {
            chunks = parser.content
        } else if let length = parser.head.contentLength {
            contentRange = ByteRange(parser.position - length, parser.position)
        }
    }
}

extension HTTPFailedRequest {
    /// Creates a request whose head is incomplete; `parser` has read as much of `message` as it could.
    package init(
        _ failure: HTTPFailure, from peer: PeerAddress, since began: MonotonicTime,
        _ parser: RequestParser, _ message: ArraySlice<UInt8>
    ) {
        self.init(from: peer)
        self.began = began
        // The parser checks the method last, so a line with an unsupported method is otherwise parsed.
        guard parser.message.phase != .start || failure == .unsupportedMethod else { return }
        if !parser.line.method.isUnknown { method = parser.line.method }
        if !parser.line.path.isEmpty { path = message[parser.line.path.offset(by: message.startIndex)] }
    }
}
