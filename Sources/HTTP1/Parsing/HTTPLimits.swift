/// Limits on what clients can make the server store or do. The unit is bytes unless the name says otherwise.
package struct HTTPLimits: Sendable, Equatable {
    /// The request line without its CRLF; above it, 414.
    package var requestLine = 8 * 1024
    /// All header lines with their CRLFs; above it, 431.
    package var headerBytes = 16 * 1024
    /// The number of header fields; above it, 431.
    package var headerCount = 100
    /// The content that is kept in memory, even if the handler allows more; above it, 413. Also the most that is read
    /// of a refused request's body.
    package var bodyBytes = 16 * 1024
    /// Chunk extensions and trailer fields together; above it, 431.
    package var trailerBytes = 4 * 1024
    /// Open connections of the whole server; above it, 503 and close.
    package var connections = 1000
    /// Requests of one loop that may wait for a deferred response; above it, 503.
    package var inFlight = 1024
    /// How long a ready request may wait for earlier ones in its loop; then 503. Clients hardly notice a delay this
    /// short.
    package var queueDelay = Duration.milliseconds(100)
    /// Connections that a loop accepts from one listener before it serves the open ones; the rest stay in the backlog.
    package var accepts = 64
    /// Memory of all connections together for requests and responses larger than `reservedBytes`; above it, 503.
    package var bufferedBytes = 64 * 1024 * 1024
    /// Responses to pipelined requests that are buffered before the server waits for the client to read them.
    package var bufferedResponseBytes = 64 * 1024
    /// Input that is read and discarded after the last response on a connection, so that the client can read the
    /// response.
    package var lingerBytes = 64 * 1024 * 1024

    /// What each connection may always hold of a request, and again of its responses, regardless of other connections.
    package static let reservedBytes = 4 * 1024

    /// Creates the defaults.
    package init() {}
}
