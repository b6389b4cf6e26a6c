public import Foundation

/// What failed, as the service or the storage reported it. The ``StorageError/underlyingError`` of each error of this
/// library.
public struct StorageFailure: Error, Sendable {
    /// Where the request failed.
    public enum Source: String, Sendable {
        /// The presign service refused the request or could not process it.
        case service
        /// The storage refused the request or could not process it.
        case storage
        /// The service or the storage did not respond.
        case network
        /// A local file could not be read or written.
        case file
        /// The closure that returns the headers for the service has thrown.
        case authorization
    }

    /// A field of the request that the service refused.
    public struct Field: Sendable, Equatable {
        /// The name, such as `contentLength`.
        public let name: String
        /// What is wrong with it.
        public let detail: String
    }

    /// Where the request failed.
    public let source: Source
    /// A stable code: of the service, of the storage, or of this library.
    public let code: StorageErrorCode
    /// The HTTP status; 0 without a response.
    public let status: Int
    /// What is wrong.
    public let detail: String
    /// How to fix it, if known.
    public let recoverySuggestion: String?
    /// The refused fields, if the service has named them.
    public let fields: [Field]
    /// The id of the request in the log of the service or the storage.
    public let requestID: String?
    /// The seconds after which the server asks to repeat the request.
    public let retryAfter: TimeInterval?
    /// Whether the same call may succeed later and is safe to repeat.
    public let isRetryable: Bool
    /// Whether the storage may have performed the request.
    public let isAmbiguous: Bool
    /// The error of the system, such as a `URLError`.
    public let cause: (any Error)?

    init(
        _ source: Source, _ code: StorageErrorCode, status: Int = 0, detail: String, recoverySuggestion: String? = nil,
        fields: [Field] = [], requestID: String? = nil, retryAfter: TimeInterval? = nil, isRetryable: Bool = false,
        isAmbiguous: Bool = false, cause: (any Error)? = nil
    ) {
        self.source = source
        self.code = code
        self.status = status
        self.detail = detail
        self.recoverySuggestion = recoverySuggestion
        self.fields = fields
        self.requestID = requestID
        self.retryAfter = retryAfter
        self.isRetryable = isRetryable
        self.isAmbiguous = isAmbiguous
        self.cause = cause
    }
}

extension StorageFailure {
    /// Whether a transfer may continue after the failure: the connection, the service or the storage may recover.
    var mayPass: Bool {
        if code == .outcomeUnknown { return false }
        if code == .transferActive { return true }
        let isSignedOut = (status == 401 && source == .service) || source == .authorization
        let isFull = status == 507
        return source == .network || isRetryable || isSignedOut || (status >= 500 && !isFull)
    }

    /// Whether the server did not respond, or a gateway responded that it did not.
    var isUnreachable: Bool { source == .network || status == 502 || status == 504 }

    /// Whether the service requires a checksum.
    var asksForChecksum: Bool {
        source == .service && status == 422 && fields.contains { $0.name == "checksumSHA256" }
    }
}
