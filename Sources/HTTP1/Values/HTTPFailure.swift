/// Why the server itself refused a request, or gave it up. The connection is closed after each of them but
/// `overloaded`.
package enum HTTPFailure: Error, Sendable, Equatable {
    case malformedRequestLine
    case malformedTarget
    case unsupportedVersion
    /// A method that no resource here has (RFC 9110 9.1).
    case unsupportedMethod
    case requestLineTooLong
    case malformedHeader
    case headerBytesExceeded
    case headerCountExceeded
    /// HTTP/1.1 without a Host field, or more than one.
    case hostCount
    case malformedHost
    case malformedContentLength
    /// Content-Length beside Transfer-Encoding, or Transfer-Encoding on HTTP/1.0 (RFC 9112 6.1): the way requests are
    /// smuggled.
    case ambiguousFraming
    case malformedTransferEncoding
    case unsupportedTransferEncoding
    case unsupportedExpectation
    case malformedChunk
    case trailerBytesExceeded
    case bodyTooLarge
    /// The input ended within a request.
    case truncated
    case headerTimeout
    case bodyTimeout
    case tooManyConnections
    /// More requests wait than `HTTPLimits.inFlight`, or this one waited for longer than `HTTPLimits.queueDelay`; the
    /// connection stays open.
    case overloaded
    /// The request would exceed `HTTPLimits.bufferedBytes`.
    case buffersFull
    /// A deferred answer did not come within `HTTPTimeouts.answer`.
    case answerTimeout
    /// The handler dropped a deferral without completing it.
    case abandoned
    /// HTTP where TLS is spoken.
    case plainHTTP

    /// The status code that says so.
    package var status: Int {
        switch self {
        case .headerTimeout, .bodyTimeout: 408
        case .bodyTooLarge: 413
        case .requestLineTooLong: 414
        case .unsupportedExpectation: 417
        case .headerBytesExceeded, .headerCountExceeded, .trailerBytesExceeded: 431
        case .abandoned: 500
        case .unsupportedTransferEncoding, .unsupportedMethod: 501
        case .tooManyConnections, .overloaded, .buffersFull: 503
        case .answerTimeout: 504
        case .unsupportedVersion: 505
        default: 400
        }
    }

    /// One sentence for the client; it quotes nothing of the request.
    package var reason: String {
        switch self {
        case .malformedRequestLine: "The request line is not 'method SP target SP HTTP/1.1 CRLF'."
        case .malformedTarget:
            "The request target must be a path, an http URI, or '*' with OPTIONS; other characters percent-encoded."
        case .unsupportedVersion: "Only HTTP/1.1 and HTTP/1.0 are spoken here."
        case .unsupportedMethod: "The method is none that this server implements; methods are spelled in capitals."
        case .requestLineTooLong: "The request line is too long."
        case .malformedHeader: "A header line is not 'name: value CRLF', is folded, or holds a control character."
        case .headerBytesExceeded: "The header fields are too large in total."
        case .headerCountExceeded: "There are too many header fields."
        case .hostCount: "An HTTP/1.1 request needs exactly one Host field."
        case .malformedHost: "The Host field is not a host with an optional port."
        case .malformedContentLength: "Content-Length must appear once and be a decimal number."
        case .ambiguousFraming: "Transfer-Encoding needs HTTP/1.1 and excludes Content-Length."
        case .malformedTransferEncoding: "Transfer-Encoding must be 'chunked', once."
        case .unsupportedTransferEncoding: "The only transfer coding known here is 'chunked'."
        case .unsupportedExpectation: "The only expectation known here is '100-continue'."
        case .malformedChunk: "The chunked body breaks the chunk grammar."
        case .trailerBytesExceeded: "Chunk extensions and trailer fields are too large in total."
        case .bodyTooLarge: "The body is larger than this resource accepts."
        case .truncated: "The connection was closed in the middle of the request."
        case .headerTimeout: "The header took too long to arrive."
        case .bodyTimeout: "The body took too long to arrive."
        case .tooManyConnections: "Too many connections are open; try again in a moment."
        case .overloaded: "Too many requests wait for an answer; try again in a moment."
        case .buffersFull:
            "The server has no memory for this request now; try again in a moment, or send at most 4 KiB."
        case .answerTimeout: "The answer took too long to make."
        case .abandoned: "The request was given up without an answer."
        case .plainHTTP: "This address speaks HTTPS; begin the URL with https://."
        }
    }
}
