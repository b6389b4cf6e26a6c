package import Presigning

/// What became of the HEAD request to the storage.
package enum ExistenceOutcome: Sendable, Equatable {
    /// The storage's status code.
    case status(Int)
    case timedOut
    /// No answer, and why; the text holds no URL.
    case failed(String)
    /// Too many checks at once.
    case overloaded
}

/// Asks the storage for an object's head. Somebody else does the asking, off the event loops.
package struct ExistenceCheck: Sendable {
    /// Sends a HEAD to the URL and calls the completion once, on any thread.
    package let head: @Sendable (_ url: String, _ completion: @escaping @Sendable (ExistenceOutcome) -> Void) -> Void

    /// - Parameter head: sends the HEAD; must not block.
    package init(
        head: @escaping @Sendable (_ url: String, _ completion: @escaping @Sendable (ExistenceOutcome) -> Void) -> Void
    ) {
        self.head = head
    }
}

extension ExistenceOutcome {
    /// Why no URL is given; nil when the object is there.
    package func problem(for key: StoragePath) -> Problem? {
        switch self {
        case .status(200..<300): return nil
        case .status(404): return Problem(StorageError.keyNotFound(key: key))
        case .status(403): return Self.denied
        case .status(let status):
            return Problem(
                502, .storageError, "The storage did not answer as expected", "HEAD was answered with \(status)")
        case .failed(let reason):
            return Problem(502, .storageUnreachable, "The storage could not be asked", "HEAD failed: \(reason)")
        case .timedOut:
            return Problem(504, .storageTimeout, "The storage did not answer in time", "HEAD timed out; try again")
        case .overloaded: return Self.tooMany
        }
    }

    /// Without s3:ListBucket S3 answers 403 for a missing object too, so 403 says nothing about absence
    /// (S3 API Reference, HeadObject, "Permissions").
    private static let denied = Problem(
        502, .storageDenied, "The storage refused the existence check",
        "HEAD was answered with 403: the service's credentials may not read the object, or lack s3:ListBucket, without"
            + " which S3 answers 403 for a missing object",
        recovery: "Grant the service s3:GetObject and s3:ListBucket, or do not ask for validateObjectExistence.")

    private static let tooMany: Problem = {
        var problem = Problem(503, .overloaded, "Too many existence checks at once", "Try again shortly")
        problem.retryAfter = 1
        return problem
    }()
}
