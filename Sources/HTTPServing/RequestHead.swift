/// What a request's head says, as positions in the message's bytes; its fields are kept apart.
struct RequestHead: Sendable {
    var method = HTTPMethod.get
    var version = HTTPVersion.http1_1
    var path = ByteRange()
    var query: ByteRange?
    /// The authority of an absolute target.
    var authority: ByteRange?

    var contentLength: Int?
    var isChunked = false
    var expectsContinue = false
    var hasOtherExpectation = false
    var connectionCloses = false
    var connectionKeepsAlive = false

    var hasBody: Bool { isChunked || (contentLength ?? 0) > 0 }

    /// Whether the client lets the connection serve another request (RFC 9112 9.3): `close` beats `keep-alive`.
    var keepsAlive: Bool { !connectionCloses && (version == .http1_1 || connectionKeepsAlive) }

    /// Whether the client waits for 100 (Continue); on HTTP/1.0 there is no such thing (RFC 9110 10.1.1).
    var awaitsContinue: Bool { expectsContinue && version == .http1_1 && hasBody }
}
