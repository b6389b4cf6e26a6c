/// The supported protocol versions.
package enum HTTPVersion: Sendable, Equatable {
    /// HTTP/1.0: closes after a response unless the client asks for keep-alive; has neither chunks nor 100 (Continue).
    case http1_0
    /// HTTP/1.1 (RFC 9112).
    case http1_1
}
