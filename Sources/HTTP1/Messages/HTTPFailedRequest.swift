package import System

/// What is known of a request that the server itself refuses or gives up. It is a view of the received bytes, as a request
/// is.
package struct HTTPFailedRequest: Sendable {
    /// Where it comes from; nil for an answer that is made for many.
    package internal(set) var peer: PeerAddress?
    /// When it began to come; nil if nothing of it has.
    package internal(set) var began: MonotonicTime?
    /// The method; nil while the request line is not understood.
    package internal(set) var method: HTTPMethod?
    /// The target's path as sent; nil while the request line is not understood, and for CONNECT.
    package internal(set) var path: ArraySlice<UInt8>?
    /// The request without its content, once the head is complete.
    package internal(set) var head: HTTPRequest?
    /// Whether the handler was told of its refusal already, among those of many: it gets an answer of its own, but whoever
    /// asks for one of those must not be able to fill a log.
    package internal(set) var isAlreadyReported = false

    /// Those of many clients.
    package static var any: HTTPFailedRequest { HTTPFailedRequest() }

    private init() {}

    /// A request of which nothing else is known.
    package init(from peer: PeerAddress) { self.peer = peer }

    /// A request whose head is complete.
    package init(_ head: HTTPRequest) {
        (peer, began, method, path) = (head.peer, head.received, head.method, head.path)
        self.head = head
    }

    /// A request whose head is complete, and whose refusal the handler was told of among those of many.
    package init(toldOf head: HTTPRequest) {
        self.init(head)
        isAlreadyReported = true
    }
}
