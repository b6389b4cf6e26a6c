import Foundation

/// One request in progress, and what has arrived of its response.
struct Exchange: Sendable {
    /// The largest response that is held in memory: a page of 1,000 names, an error, the parts of an upload.
    private static let maxBody = 16 << 20

    let onSent: @Sendable (Int64) -> Void
    private let receiver: (any HTTPReceiver)?
    private let continuation: CheckedContinuation<HTTPResponse, any Error>
    private var head: HTTPHead?
    private var body = Data()
    private var refusal: (any Error)?

    init(
        onSent: @escaping @Sendable (Int64) -> Void, receiver: (any HTTPReceiver)?,
        continuation: CheckedContinuation<HTTPResponse, any Error>
    ) {
        self.onSent = onSent
        self.receiver = receiver
        self.continuation = continuation
    }

    /// Returns whether the body is wanted.
    mutating func begin(_ head: HTTPHead) -> Bool {
        self.head = head
        refusal = failure { if head.isSuccess { try receiver?.begin(head) } }
        return refusal == nil
    }

    /// Returns whether more is wanted.
    mutating func receive(_ piece: Data) -> Bool {
        if let receiver, head?.isSuccess == true {
            refusal = failure { try receiver.receive(piece) }
        } else if body.count + piece.count <= Self.maxBody {
            body.append(piece)
        } else {
            refusal = URLError(.dataLengthExceedsMaximum)
        }
        return refusal == nil
    }

    private func failure(of step: () throws -> Void) -> (any Error)? {
        do {
            try step()
            return nil
        } catch {
            return error
        }
    }

    /// Continues the sender. A refusal is the reason of the error with which the session ends the task.
    func end(with error: (any Error)?) {
        if let refusal {
            continuation.resume(throwing: refusal)
        } else if let error {
            continuation.resume(throwing: isCancellation(error) ? CancellationError() : error)
        } else if let head {
            continuation.resume(returning: HTTPResponse(head: head, body: body))
        } else {
            continuation.resume(throwing: URLError(.badServerResponse))
        }
    }

    private func isCancellation(_ error: any Error) -> Bool { (error as? URLError)?.code == .cancelled }
}
