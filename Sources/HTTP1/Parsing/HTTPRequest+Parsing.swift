package import System
package import TLS

extension HTTPRequest {
    /// Takes over the head that `parser` has parsed at `base` of the bytes. The parser's fields are those of an earlier
    /// message afterwards; it does not use them again before `reset`.
    package mutating func begin(
        _ parser: inout RequestParser, at base: Int, from peer: PeerAddress, certificate: PeerCertificate? = nil
    ) {
        method = parser.head.method
        version = parser.head.version
        pathRange = parser.head.path
        queryRange = parser.head.query
        headers.base = base
        swap(&headers.fields, &parser.fields)
        self.peer = peer
        self.certificate = certificate
    }

    /// Takes over the content that `parser` has kept of the complete message.
    package mutating func takeContent(from parser: RequestParser) {
        guard parser.use == .kept else { return }
        if parser.head.isChunked {
            chunks = parser.content
        } else if let length = parser.head.contentLength {
            contentRange = ByteRange(parser.position - length, parser.position)
        }
    }
}
