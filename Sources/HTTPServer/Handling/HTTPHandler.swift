package import HTTP1

/// What a server does with requests. One instance serves one loop and is called on that loop only: it may keep
/// mutable state without locks, and must never block. A structure is best: the loop owns it, and its state costs no check
/// at run time.
package protocol HTTPHandler {
    /// Called once for every well-formed head, before a byte of its body is awaited and before 100 (Continue) is sent.
    mutating func body(for head: HTTPRequest) -> HTTPBodyDecision

    /// Answers a complete request. To answer later, keep `deferral`, return nil, and complete it from any thread;
    /// no later request of that connection is looked at until then.
    mutating func respond(to request: HTTPRequest, deferral: HTTPDeferral) -> HTTPResponse?

    /// Gives a refusal by the server itself its form. The status should be `failure.status`; the connection is closed
    /// whatever the response says, except after `overloaded`, whose answer is used for all requests of a second that need
    /// none of their own.
    ///
    /// - Parameter request: what is known of it when it failed. Of a deferred one the server keeps no more than the peer:
    ///   see `HTTPDeferral.otherwise`. One that `isToldOf` is not to be logged.
    mutating func response(to failure: HTTPFailure, of request: HTTPFailedRequest) -> HTTPResponse

    /// Whether a request is answered however much there is to do, such as one that asks whether the process lives.
    /// Asked only when there is too much. The default is false.
    func mustAnswer(_ request: HTTPRequest) -> Bool
}

extension HTTPHandler {
    /// No request is exempt.
    package func mustAnswer(_ request: HTTPRequest) -> Bool { false }
}
