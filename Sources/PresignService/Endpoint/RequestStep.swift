import HTTP1

/// What handling a request comes to.
enum RequestStep: ~Copyable {
    case answer(HTTPResponse)
    case wait(any PendingAnswer)
}

/// An answer that is found beside the loop.
protocol PendingAnswer: Sendable {
    /// Bytes of memory it holds while it waits.
    var heldBytes: Int { get }

    /// Finds it, asking the storage if need be, then calls the completion once, on any thread; or never, if the request was
    /// given up before anything of it was decided.
    func resolve(
        with existence: ExistenceCheck, for request: PendingRequest,
        completion: @escaping @Sendable (consuming LateAnswer) -> Void)
}

extension PendingAnswer {
    /// Few enough to need no charge.
    var heldBytes: Int { 0 }
}

/// An answer found beside the loop, and what was found with it.
struct LateAnswer: Sendable {
    let response: HTTPResponse
    /// The problem's code, if the answer is a refusal.
    var code: ProblemCode?
    /// What the log says of an answer that refuses in part.
    var reason: String?
    /// How the request stands to its limit, if that was found now.
    var quota: RateLimitStatus?
}
