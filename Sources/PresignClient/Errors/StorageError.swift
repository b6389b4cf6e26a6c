public import Foundation

/// The error of a request or a transfer. Cases and members are those of Amplify Storage; ``code`` is the service's or the
/// storage's.
public enum StorageError: Error, Sendable {
    /// A description of the error.
    public typealias ErrorDescription = String
    /// How to fix it.
    public typealias RecoverySuggestion = String

    /// The access rules or the storage do not allow the request.
    case accessDenied(ErrorDescription, RecoverySuggestion, (any Error)? = nil)
    /// The caller is not signed in, or the token has expired.
    case authError(ErrorDescription, RecoverySuggestion, (any Error)? = nil)
    /// The endpoint does not belong to a presign service, or its configuration does not fit the request.
    case configuration(ErrorDescription, RecoverySuggestion, (any Error)? = nil)
    /// The storage responded with this status and without a code.
    case httpStatusError(Int, RecoverySuggestion, (any Error)? = nil)
    /// No object exists at the path.
    case keyNotFound(String, ErrorDescription, RecoverySuggestion, (any Error)? = nil)
    /// The local file is missing or cannot be read or written.
    case localFileNotFound(ErrorDescription, RecoverySuggestion, (any Error)? = nil)
    /// The service, the storage or the network failed.
    case service(ErrorDescription, RecoverySuggestion, (any Error)? = nil)
    /// An error of none of the other kinds.
    case unknown(ErrorDescription, (any Error)? = nil)
    /// A field of the request is invalid or exceeds a limit of the rule.
    case validation(String, ErrorDescription, RecoverySuggestion, (any Error)? = nil)
}

extension StorageError: LocalizedError {
    /// What is wrong.
    public var errorDescription: String? {
        switch self {
        case .accessDenied(let text, _, _), .authError(let text, _, _), .configuration(let text, _, _),
            .keyNotFound(_, let text, _, _), .localFileNotFound(let text, _, _), .service(let text, _, _),
            .unknown(let text, _), .validation(_, let text, _, _):
            text
        case .httpStatusError(let status, _, _):
            "The storage responded with status \(status)."
        }
    }

    /// How to fix it.
    public var recoverySuggestion: String? {
        switch self {
        case .accessDenied(_, let text, _), .authError(_, let text, _), .configuration(_, let text, _),
            .httpStatusError(_, let text, _), .keyNotFound(_, _, let text, _), .localFileNotFound(_, let text, _),
            .service(_, let text, _), .validation(_, _, let text, _):
            text
        case .unknown:
            nil
        }
    }

    /// The ``StorageFailure``, if the error is one of this library.
    public var underlyingError: (any Error)? {
        switch self {
        case .accessDenied(_, _, let error), .authError(_, _, let error), .configuration(_, _, let error),
            .httpStatusError(_, _, let error), .keyNotFound(_, _, _, let error), .localFileNotFound(_, _, let error),
            .service(_, _, let error), .unknown(_, let error), .validation(_, _, _, let error):
            error
        }
    }
}

extension StorageError {
    /// What failed, in detail.
    public var failure: StorageFailure? { underlyingError as? StorageFailure }

    /// The stable code of the service, the storage or this library.
    public var code: StorageErrorCode? { failure?.code }

    /// Whether the same call may succeed later and is safe to repeat.
    public var isRetryable: Bool { failure?.isRetryable ?? false }
}
