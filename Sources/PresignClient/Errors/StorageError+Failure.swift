import Foundation

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
