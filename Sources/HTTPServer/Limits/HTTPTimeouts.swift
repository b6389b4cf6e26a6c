import System

/// How long each stage of a connection may take. A timeout covers the whole stage, not the gap between two bytes. The
/// exceptions are streamed bodies and files, which may have any size: each piece restarts `body` or `write`.
package struct HTTPTimeouts: Sendable, Equatable {
    /// For a whole head; then 408.
    package var header = Duration.seconds(10)
    /// For a whole body; then 408.
    package var body = Duration.seconds(30)
    /// Between a response and the next request; then the connection is closed without a response.
    package var idle = Duration.seconds(60)
    /// For the client to read the buffered responses; then the connection is closed.
    package var write = Duration.seconds(30)
    /// For a deferred response to be completed; then 504 and close.
    package var response = Duration.seconds(120)
    /// For a client that keeps sending after the last response on a connection; then the connection is closed.
    package var linger = Duration.seconds(5)
    /// From `shutdown()`, for all requests in flight.
    package var drain = Duration.seconds(15)
    /// From `shutdown()`, for a recently active connection to send a request that it may already have begun, and for
    /// the rest of a refused request's body.
    package var drainGrace = Duration.milliseconds(250)

    /// Creates the defaults.
    package init() {}
}

/// The timeouts in the unit that connections use.
struct Deadlines: Sendable {
    let header, body, idle, write, response, linger, drain, drainGrace: TimeSpan

    init(_ timeouts: HTTPTimeouts) {
        header = TimeSpan(timeouts.header)
        body = TimeSpan(timeouts.body)
        idle = TimeSpan(timeouts.idle)
        write = TimeSpan(timeouts.write)
        response = TimeSpan(timeouts.response)
        linger = TimeSpan(timeouts.linger)
        drain = TimeSpan(timeouts.drain)
        drainGrace = TimeSpan(timeouts.drainGrace)
    }
}
