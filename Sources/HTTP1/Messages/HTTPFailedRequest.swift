package import System

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
    package internal(set) var isAlreadyReported = false

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

    /// Creates a request whose head is complete and whose refusal the handler already reported.
    package init(alreadyReported head: HTTPRequest) {
        self.init(head)
        isAlreadyReported = true
    }
}
