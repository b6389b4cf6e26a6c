package import System

/// Why the server itself refused or abandoned a request. It closes the connection after each failure except
/// `overloaded`.
package enum HTTPFailure: Error, Sendable, Equatable {
    case malformedRequestLine
    case malformedTarget
    case unsupportedVersion
    /// A method that the server does not implement (RFC 9110 9.1).
    case unsupportedMethod
    case requestLineTooLong
    case malformedHeader
    case headerBytesExceeded
    case headerCountExceeded
    /// HTTP/1.1 without a Host field, or any version with more than one.
    case hostCount
    case malformedHost
    case malformedContentLength
    /// Content-Length together with Transfer-Encoding, or Transfer-Encoding on HTTP/1.0: a sign of request smuggling
    /// (RFC 9112 6.1).
    case ambiguousFraming
    case malformedTransferEncoding
    case unsupportedTransferEncoding
    case unsupportedExpectation
    case malformedChunk
    case trailerBytesExceeded
    case bodyTooLarge
    /// The input ended in the middle of a request.
    case truncated
    case headerTimeout
    case bodyTimeout
    case tooManyConnections
    /// `HTTPLimits.inFlight` requests already wait for their responses, or this one was ready for longer than
    /// `HTTPLimits.queueDelay`. The connection stays open.
    case overloaded
    /// The request would exceed `HTTPLimits.bufferedBytes`.
    case buffersFull
    /// A deferred response was not completed within `HTTPTimeouts.response`.
    case responseTimeout
    /// The handler dropped a deferral without completing it.
    case abandoned
    /// Plain HTTP on a TLS address.
    case plainHTTP

    /// The status code for this failure.
    package var status: Int { response.status }

    /// One sentence for the client. It quotes no part of the request.
    package var reason: String { response.reason }

    private var response: (status: Int, reason: String) {
        switch self {
        case .malformedRequestLine: (400, "The request line is not 'method SP target SP HTTP/1.1 CRLF'.")
        case .malformedTarget:
            (400, "The request target must be a path, an http URI, or '*' with OPTIONS; percent-encode the rest.")
        case .unsupportedVersion: (505, "Only HTTP/1.1 and HTTP/1.0 are supported.")
        case .unsupportedMethod:
            (501, "The server does not implement this method; method names are written in capitals.")
        case .requestLineTooLong: (414, "The request line is too long.")
        case .malformedHeader:
            (400, "A header line is not 'name: value CRLF', is folded, or contains a control character.")
        case .headerBytesExceeded: (431, "The header fields are too large in total.")
        case .headerCountExceeded: (431, "There are too many header fields.")
        case .hostCount: (400, "An HTTP/1.1 request needs exactly one Host field.")
        case .malformedHost: (400, "The Host field is not a host with an optional port.")
        case .malformedContentLength: (400, "Content-Length must appear once and be a decimal number.")
        case .ambiguousFraming: (400, "Transfer-Encoding requires HTTP/1.1 and cannot be combined with Content-Length.")
        case .malformedTransferEncoding: (400, "Transfer-Encoding must be 'chunked', once.")
        case .unsupportedTransferEncoding: (501, "The only supported transfer coding is 'chunked'.")
        case .unsupportedExpectation: (417, "The only supported expectation is '100-continue'.")
        case .malformedChunk: (400, "The body is not valid chunked coding.")
        case .trailerBytesExceeded: (431, "Chunk extensions and trailer fields are too large in total.")
        case .bodyTooLarge: (413, "The body is larger than this resource accepts.")
        case .truncated: (400, "The connection was closed in the middle of the request.")
        case .headerTimeout: (408, "The request line and header fields took too long to arrive.")
        case .bodyTimeout: (408, "The body took too long to arrive.")
        case .tooManyConnections: (503, "Too many connections are open; try again in a moment.")
        case .overloaded: (503, "Too many requests are waiting for a response; try again in a moment.")
        case .buffersFull:
            (503, "The server has no free memory for this request; try again in a moment, or send at most 4 KiB.")
        case .responseTimeout: (504, "The response took too long to produce.")
        case .abandoned: (500, "The request was abandoned without a response.")
        case .plainHTTP: (400, "This address requires HTTPS; use a URL that begins with https://.")
        }
    }
}

/// What the server knows about a request that it refuses or abandons. Like a request, it is a view of the received
/// bytes.
package struct HTTPFailedRequest: Sendable {
    /// The client's address; nil for a cached response, which serves many clients.
    package internal(set) var peer: PeerAddress?
    /// When its first bytes arrived; nil if none have.
    package internal(set) var began: MonotonicTime?
    /// The method; nil until the request line is parsed.
    package internal(set) var method: HTTPMethod?
    /// The target's path as sent; nil until the request line is parsed, and for CONNECT.
    package internal(set) var path: ArraySlice<UInt8>?
    /// The request without its content; nil until the head is complete.
    package internal(set) var head: HTTPRequest?
    /// Whether the handler already reported this kind of refusal when it created the cached response. The request gets
    /// its own response, but must not add a log line, or a client could flood the log.
    package var isAlreadyReported = false

    /// A placeholder for the requests of many clients, which get one cached response.
    package static var any: HTTPFailedRequest { HTTPFailedRequest() }

    private init() {}

    /// Creates a request with only the client's address.
    package init(from peer: PeerAddress) { self.peer = peer }

    /// Creates a request whose head is complete.
    package init(_ head: HTTPRequest) {
        (peer, began, method, path) = (head.peer, head.received, head.method, head.path)
        self.head = head
    }
}
