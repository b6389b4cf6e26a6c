package import System

extension HTTPFailedRequest {
    /// A request of which a parser has seen `message`, and no whole head in it.
    package init(
        _ failure: HTTPFailure, from peer: PeerAddress, since began: MonotonicTime,
        _ parser: borrowing RequestParser, _ message: ArraySlice<UInt8>
    ) {
        (self.peer, self.began) = (peer, began)
        // The rest of a request line whose method is refused was understood before.
        guard parser.phase != .start || failure == .unsupportedMethod else { return }
        if !parser.head.method.isUnknown { method = parser.head.method }
        if !parser.head.path.isEmpty { path = message[parser.head.path.offset(by: message.startIndex)] }
    }
}
