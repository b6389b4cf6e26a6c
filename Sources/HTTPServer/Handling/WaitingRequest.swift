import HTTP1

/// What the server keeps of a deferred request whose handler knows more of it.
package final class WaitingRequest: Sendable {
    /// Answers in the handler's place; nil when an answer is on its way.
    let respond: @Sendable (HTTPFailure) -> HTTPResponse?

    init(respond: @escaping @Sendable (HTTPFailure) -> HTTPResponse?) { self.respond = respond }
}
