import HTTP1

/// How long a client may take. Each is a total from the first byte or the first wait on, not a gap between two bytes;
/// only for streamed bodies and files, which may be of any size, `body` and `write` begin anew with every piece.
package struct HTTPTimeouts: Sendable, Equatable {
    /// A whole head; after it 408.
    package var header = Duration.seconds(10)
    /// A whole body; after it 408.
    package var body = Duration.seconds(30)
    /// Between an answer and the next request; then the connection is closed without a word.
    package var idle = Duration.seconds(60)
    /// For the client to take the answers that wait for it; then the connection is closed.
    package var write = Duration.seconds(30)
    /// For a deferred answer to come; then 504 and close.
    package var answer = Duration.seconds(120)
    /// For a client that still sends after an answer that closes.
    package var linger = Duration.seconds(5)
    /// From `shutdown()` on, for what is in flight.
    package var drain = Duration.seconds(15)
    /// From `shutdown()` on, for a connection that was busy just before to send the request it may already have begun, and
    /// for the rest of a body that was refused.
    package var drainGrace = Duration.milliseconds(250)

    /// The defaults.
    package init() {}
}
