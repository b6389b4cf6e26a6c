/// The protocol versions this server speaks.
package enum HTTPVersion: Sendable, Equatable {
    /// HTTP/1.0: closes after an answer unless asked to keep the connection, knows neither chunks nor 100 (Continue).
    case http1_0
    /// HTTP/1.1 (RFC 9112).
    case http1_1
}
