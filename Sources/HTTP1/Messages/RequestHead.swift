/// The parsed head of a request, as ranges of the message's bytes. Its header fields are in a `FieldTable`.
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

    /// Whether the client allows another request on the connection (RFC 9112 9.3); `close` overrides `keep-alive`.
    package var keepsAlive: Bool { !connectionCloses && (version == .http1_1 || connectionKeepsAlive) }

    /// Whether the client waits for 100 (Continue), which HTTP/1.0 does not have (RFC 9110 10.1.1).
    package var awaitsContinue: Bool { expectsContinue && version == .http1_1 && hasBody }
}
