package import System
package import TLS

extension HTTPRequest {
    /// Tells what the parser has found in the head that begins at `base` of the bytes. The fields are exchanged, as the
    /// parser needs them no more: a copy of them, as of the whole request, would cost references for each message.
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

    /// Gives the request the content that the parser has kept of its message, which is complete.
    package mutating func carry(_ parser: borrowing RequestParser) {
        guard parser.use == .kept else { return }
        if parser.head.isChunked {
            chunks = parser.content
        } else if let length = parser.head.contentLength {
            contentRange = ByteRange(parser.position - length, parser.position)
        }
    }
}
