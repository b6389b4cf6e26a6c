import HTTP1
import Presigning

/// What one request comes to: its URL, and what the storage has to be asked before the URL is given.
struct Presigned: ~Copyable {
    let answer: PresignAnswer
    /// Nil when no check was asked for.
    let check: StorageCheck?

    /// The step of a request that is answered alone.
    ///
    /// - Parameters:
    ///   - response: has the URL written in it.
    ///   - presigner: gets the URL's memory back.
    consuming func step(
        with response: consuming HTTPResponse, _ presigner: inout Presigner
    ) -> RequestStep {
        presigner.reuse(answer.url.bytes)
        guard let check else { return .answer(response) }
        return .wait(CheckedAnswer(check: check, answer: response))
    }
}

/// A HEAD to be sent before a URL is given. A class, as few requests have one, and with each of the others an optional
/// structure of this size would be handed on.
final class StorageCheck: Sendable {
    /// Signed for the HEAD.
    let url: String
    /// The object's whole key.
    let key: StoragePath
    /// By its name; where the URL is counted when it is given.
    private let store: String
    private let operation: AWSS3SigningOperation
    private let metrics: ServiceMetrics

    init(url: String, key: StoragePath, store: String, operation: AWSS3SigningOperation, metrics: ServiceMetrics) {
        self.url = url
        self.key = key
        self.store = store
        self.operation = operation
        self.metrics = metrics
    }

    /// Counts what has become of it.
    func note(_ problem: Problem?) {
        metrics.count { shard in
            if let problem {
                shard.noteRefusal(problem.code)
            } else {
                shard.noteURL(operation, store: store)
            }
        }
    }
}

extension RequestRecord {
    /// Takes what was found beside the loop.
    mutating func note(_ late: LateAnswer) {
        reason = late.code?.text ?? late.reason
        audit?.code = late.code
        if let quota = late.quota { self.quota = quota }
    }
}

/// The answer to one request that is checked.
private struct CheckedAnswer: PendingAnswer {
    let check: StorageCheck
    let answer: HTTPResponse

    func resolve(
        with existence: ExistenceCheck, for request: PendingRequest,
        completion: @escaping @Sendable (consuming LateAnswer) -> Void
    ) {
        existence.head(check.url) { outcome in
            let problem = outcome.problem(for: check.key)
            check.note(problem)
            completion(
                LateAnswer(
                    response: problem?.response(requestID: request.requestID) ?? answer, code: problem?.code))
        }
    }
}
