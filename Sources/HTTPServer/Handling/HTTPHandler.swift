package import HTTP1

/// What a server does with requests. One instance serves one loop and is called on that loop only: it may keep
/// mutable state without locks, and must never block.
package protocol HTTPHandler {
    /// Called once for every well-formed head, before a byte of its body is awaited and before 100 (Continue) is sent.
    mutating func body(for head: HTTPRequest) -> HTTPBodyDecision

    /// Responds to a failure of a request that has no responder: one whose head is not complete, or not known. The status
    /// should be `failure.status`; the connection is closed whatever the response says, except after `overloaded`, whose
    /// response is used for all requests of a second that need none of their own.
    mutating func response(to failure: HTTPFailure, of request: HTTPFailedRequest) -> HTTPResponse

    /// Whether a request is answered however much there is to do, such as one that asks whether the process lives.
    /// Asked only when there is too much. The default is false.
    func mustAnswer(_ request: HTTPRequest) -> Bool
}

extension HTTPHandler {
    /// No request is exempt.
    package func mustAnswer(_ request: HTTPRequest) -> Bool { false }
}
