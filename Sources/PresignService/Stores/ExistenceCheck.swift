import HTTP1
package import ObjectExistence
package import Presigning
package import System

/// Checks with a HEAD request whether an object exists. The HTTP client is injected and runs off the event loops.
package struct ExistenceCheck: Sendable {
    /// Sends a HEAD to a URL for a caller, and calls the completion once, on any thread. Must not block.
    package typealias Head =
        @Sendable (
            _ url: String, _ caller: LimitKey, _ completion: @escaping @Sendable (ExistenceOutcome) -> Void
        ) -> Void

    package let head: Head
    /// Fails the checks in progress and waits for their end. The event loops must have stopped.
    package let shutdown: @Sendable () -> Void

    /// - Parameter head: sends the HEAD.
    package init(head: @escaping Head) {
        self.head = head
        shutdown = {}
    }

    /// Creates a check with libcurl.
    package init(_ configuration: ExistenceConfiguration) {
        let checker = ObjectExistenceChecker(configuration)
        head = { checker.head(url: $0, of: $1, completion: $2) }
        shutdown = { checker.shutdown() }
    }
}

extension Problem {
    /// Returns the problem that replaces a URL if the storage responds to HEAD with a status; nil if the object exists.
    package static func existence(status: Int) -> Problem? { ExistenceOutcome.status(status).problem(for: "missing") }
}

/// Limits on one batch's use of the existence checks, which all requests share.
struct BatchCheckLimits: Sendable {
    /// The most checks of one batch in flight; leaves capacity for other requests.
    let maximumInFlight: Int
    /// The time after a request's arrival in which checks may start. Checks started later could outlast the response.
    let startWindow: Duration

    /// - Parameter responseTimeout: the time within which a deferred response must be complete.
    init(_ existence: ExistenceConfiguration, responseTimeout: Duration) {
        maximumInFlight = max(1, existence.maximumInFlight / 4)
        startWindow = max(responseTimeout / 2, responseTimeout - existence.timeout)
    }
}

extension ExistenceOutcome {
    /// Returns the problem that replaces the URL; nil if the object exists.
    package func problem(for key: StoragePath) -> Problem? {
        switch self {
        case .status(200..<300, _, _): return nil
        case .status(404, _, _): return Problem(StorageError.keyNotFound(key: key))
        case .status(403, _, _): return Self.denied
        case .status(let status, _, _):
            return Problem(
                502, .storageError, "Unexpected response from the storage",
                "The storage responded to HEAD with \(status)")
        case .failed(let reason):
            return Problem(502, .storageUnreachable, "The storage is unreachable", "HEAD failed: \(reason)")
        case .timedOut:
            return Problem(
                504, .storageTimeout, "The storage did not respond in time", "HEAD timed out",
                recovery: "Try again.")
        case .overloaded: return Self.tooMany
        }
    }

    /// Returns the response about an object that exists.
    ///
    /// - Parameter redirect: the response with its URL; nil for a response to HEAD, which describes the object.
    /// - Throws: the problem that replaces it.
    func response(for key: StoragePath, existing redirect: HTTPResponse?) throws(Problem) -> HTTPResponse {
        if let problem = problem(for: key) { throw problem }
        if let redirect { return redirect }
        guard case .status(_, let length?, let headers) = self else { throw Self.lengthMissing }
        var response = HTTPResponse(status: 200)
        response.statedLength = Int(length)
        if let type = headers.contentType { response.add("content-type", type) }
        if let tag = headers.entityTag { response.add("etag", tag) }
        if let time = headers.lastModified { response.add("last-modified", time) }
        return response
    }

    /// Whether an object of exactly this length in bytes exists.
    func finds(length: Int64) -> Bool {
        guard case .status(200..<300, let found?, _) = self else { return false }
        return found == length
    }

    /// Without s3:ListBucket S3 responds 403 to HEAD of a missing object too, so 403 does not prove existence or
    /// absence (S3 API Reference, HeadObject, "Permissions").
    private static let denied = Problem(
        502, .storageDenied, "The storage refused the existence check",
        "The storage responded to HEAD with 403: the service's credentials may not read the object, or lack"
            + " s3:ListBucket, without which S3 responds 403 for a missing object",
        recovery: "Grant the service s3:GetObject and s3:ListBucket, or send validateObjectExistence: false.")

    private static let lengthMissing = Problem(
        502, .storageError, "Unexpected response from the storage",
        "The storage responded to HEAD without Content-Length")

    private static let tooMany = Problem(
        503, .overloaded, "Too many existence checks at once",
        "The service already has the maximum number of existence checks", recovery: "Try again in 1 second.",
        retryAfter: 1)
}
