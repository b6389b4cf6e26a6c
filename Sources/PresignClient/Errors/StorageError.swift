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
    public var errorDescription: String? { values.description }

    /// How to fix it.
    public var recoverySuggestion: String? { values.suggestion }

    /// The ``StorageFailure``, if the error is one of this library.
    public var underlyingError: (any Error)? { values.underlying }

    private var values: (description: String, suggestion: String?, underlying: (any Error)?) {
        switch self {
        case .accessDenied(let text, let suggestion, let error), .authError(let text, let suggestion, let error),
            .configuration(let text, let suggestion, let error), .keyNotFound(_, let text, let suggestion, let error),
            .localFileNotFound(let text, let suggestion, let error), .service(let text, let suggestion, let error),
            .validation(_, let text, let suggestion, let error):
            (text, suggestion, error)
        case .httpStatusError(let status, let suggestion, let error):
            ("The storage responded with status \(status).", suggestion, error)
        case .unknown(let text, let error): (text, nil, error)
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

extension StorageError {
    /// Converts any error that a request or a transfer has thrown. Cancellation stays what it is.
    static func wrapping(_ error: any Error, path: String) -> any Error {
        if error is StorageError || error is CancellationError { return error }
        guard let failure = error as? StorageFailure else { return unknown("\(error.localizedDescription)", error) }
        return StorageError(failure, path: path)
    }

    init(_ failure: StorageFailure, path: String) {
        let text = failure.detail
        let suggestion = failure.recoverySuggestion ?? Self.suggestion(for: failure)
        switch (failure.source, failure.status) {
        case (.authorization, _), (.service, 401):
            self = .authError(text, suggestion, failure)
        case (.service, 403), (.storage, 403):
            self = .accessDenied(text, suggestion, failure)
        case (.service, 404) where failure.code == .keyNotFound, (.storage, 404) where failure.code != .noSuchUpload:
            self = .keyNotFound(path, text, suggestion, failure)
        case (.service, 400), (.service, 422):
            self = .validation(failure.fields.first?.name ?? "", text, suggestion, failure)
        case (.service, 404), (.service, 405):
            self = .configuration(text, suggestion, failure)
        case (.file, _):
            self = .localFileNotFound(text, suggestion, failure)
        case (.storage, let status) where failure.code == .http(status):
            self = .httpStatusError(status, suggestion, failure)
        default:
            let isForeign = failure.code == .unexpectedResponse
            self = isForeign ? .configuration(text, suggestion, failure) : .service(text, suggestion, failure)
        }
    }

    private static func suggestion(for failure: StorageFailure) -> String {
        switch failure.source {
        case .network: "Check the connection."
        case .file: "Check that the file exists and that the app may access it."
        case .authorization: "Sign in again."
        case .service, .storage: failure.isRetryable ? "Try again later." : "Check the request."
        }
    }
}

extension StorageErrorCode {
    /// The code of a response of the storage without one.
    static func http(_ status: Int) -> Self { Self(rawValue: "HTTP\(status)") }
}
