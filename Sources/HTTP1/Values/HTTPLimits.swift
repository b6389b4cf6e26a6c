/// What a client may make the server hold: every accumulation has a limit. The unit is bytes where the name does not
/// say otherwise.
package struct HTTPLimits: Sendable, Equatable {
    /// The request line without its CRLF; above it 414.
    package var requestLine = 8 * 1024
    /// All header lines with their CRLFs; above it 431.
    package var headerBytes = 16 * 1024
    /// Header fields; above it 431.
    package var headerCount = 100
    /// Content, whatever the handler allows; above it 413. Also what is read of a refused request's body.
    package var bodyBytes = 16 * 1024
    /// Chunk extensions and trailer fields together; above it 431.
    package var trailerBytes = 4 * 1024
    /// Open connections of the whole server; above it 503 and close.
    package var connections = 1000
    /// Requests of one loop that may wait for a deferred response; above it 503.
    package var inFlight = 1024
    /// How long a ready request may wait for those before it in its loop; then 503. Clients hardly notice less.
    package var queueDelay = Duration.milliseconds(10)
    /// Connections a loop accepts from one listener before it turns to those it has; the kernel holds the others.
    package var accepts = 64
    /// Memory of all connections together for requests and responses beyond `reservedBytes`; more is refused with 503.
    package var bufferedBytes = 64 * 1024 * 1024
    /// Answers of pipelined requests gathered before the client must take some.
    package var bufferedAnswerBytes = 64 * 1024
    /// What is read and thrown away after an answer that closes, so that the client gets to see the answer.
    package var lingerBytes = 64 * 1024 * 1024

    /// What each connection may hold of a request, and as much again of its responses, whatever others hold.
    package static let reservedBytes = 4 * 1024

    /// The defaults.
    package init() {}
}
