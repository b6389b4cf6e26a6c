package import System

extension HTTPFailedRequest {
    /// Creates a request whose head is incomplete; `parser` has read as much of `message` as it could.
    package init(
        _ failure: HTTPFailure, from peer: PeerAddress, since began: MonotonicTime,
        _ parser: RequestParser, _ message: ArraySlice<UInt8>
    ) {
        (self.peer, self.began) = (peer, began)
        // The parser checks the method last, so a line with an unsupported method is otherwise parsed.
        guard parser.phase != .start || failure == .unsupportedMethod else { return }
        if !parser.head.method.isUnknown { method = parser.head.method }
        if !parser.head.path.isEmpty { path = message[parser.head.path.offset(by: message.startIndex)] }
    }
}
