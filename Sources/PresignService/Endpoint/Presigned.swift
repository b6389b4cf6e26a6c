import HTTPServing
import Presigning

/// What one request comes to: its URL, and what the storage has to be asked before the URL is given.
struct Presigned: ~Copyable {
    let answer: PresignAnswer
    /// Nil when no check was asked for.
    let check: StorageCheck?

    /// The step of a request that is answered alone.
    ///
    /// - Parameter form: writes the answer.
    func step(as form: (borrowing PresignAnswer) -> HTTPResponse) -> ServiceHandler.Step {
        let response = form(answer)
        guard let check else { return .answer(response) }
        return .wait(CheckedAnswer(check: check, answer: response))
    }
}

/// A HEAD to be sent before a URL is given.
struct StorageCheck: Sendable {
    /// Signed for the HEAD.
    let url: String
    /// The object's whole key.
    let key: StoragePath
}

/// An answer that waits for the storage.
protocol PendingAnswer: Sendable {
    /// Asks the storage, then calls the completion once, on any thread: with the answer, and why it refuses, if it does.
    func resolve(
        with existence: ExistenceCheck, for requestID: RequestID,
        completion: @escaping @Sendable (HTTPResponse, _ reason: String?) -> Void)
}

/// The answer to one request that is checked.
private struct CheckedAnswer: PendingAnswer {
    let check: StorageCheck
    let answer: HTTPResponse

    func resolve(
        with existence: ExistenceCheck, for requestID: RequestID,
        completion: @escaping @Sendable (HTTPResponse, _ reason: String?) -> Void
    ) {
        existence.head(check.url) { outcome in
            let problem = outcome.problem(for: check.key)
            completion(problem?.response(requestID: requestID) ?? answer, problem?.code)
        }
    }
}
