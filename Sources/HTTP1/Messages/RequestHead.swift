/// What a request's head says, as positions in the message's bytes; its fields are kept apart.
package struct RequestHead: Sendable {
    package var method = HTTPMethod.get
    package var version = HTTPVersion.http1_1
    package var path = ByteRange()
    package var query: ByteRange?
    /// The authority of an absolute target.
    package var authority: ByteRange?

    package var contentLength: Int?
    var isChunked = false
    var expectsContinue = false
    package var hasOtherExpectation = false
    var connectionCloses = false
    var connectionKeepsAlive = false

    var hasBody: Bool { isChunked || (contentLength ?? 0) > 0 }

    /// Whether the client lets the connection serve another request (RFC 9112 9.3): `close` beats `keep-alive`.
    package var keepsAlive: Bool { !connectionCloses && (version == .http1_1 || connectionKeepsAlive) }

    /// Whether the client waits for 100 (Continue); on HTTP/1.0 there is no such thing (RFC 9110 10.1.1).
    package var awaitsContinue: Bool { expectsContinue && version == .http1_1 && hasBody }
}
