/// An error that prevented a URL from being signed, with a description and a suggestion.
///
/// The texts never contain secrets or signatures.
public enum StorageError: Error, Sendable, Hashable {
    /// The request or the configuration is invalid. `field` names the part to change.
    case validation(field: String, description: String, recoverySuggestion: String)
    /// The object does not exist, and the request asked for an existence check.
    case keyNotFound(key: StoragePath)
    /// The storage denied access to the object during the existence check.
    case accessDenied(description: String, recoverySuggestion: String)
    /// No usable credentials are available.
    case authError(description: String, recoverySuggestion: String)
    /// The storage did not respond, or its response was unusable.
    case service(description: String, recoverySuggestion: String)

    /// The problem in one sentence.
    public var errorDescription: String {
        switch self {
        case .validation(let field, let description, _): "\(field): \(description)"
        case .keyNotFound(let key): "No object exists at the key \(key.text.debugDescription)."
        case .accessDenied(let description, _), .authError(let description, _), .service(let description, _):
            description
        }
    }

    /// The suggested fix in one sentence.
    public var recoverySuggestion: String {
        switch self {
        case .validation(_, _, let suggestion), .accessDenied(_, let suggestion), .authError(_, let suggestion),
            .service(_, let suggestion):
            suggestion
        case .keyNotFound:
            "Check the key, upload the object first, or leave out validateObjectExistence."
        }
    }
}

extension StorageError: CustomStringConvertible {
    /// The problem and the suggested fix.
    public var description: String { "\(errorDescription) \(recoverySuggestion)" }
}

extension StorageError {
    /// Returns a validation error.
    package static func invalid(_ field: String, _ description: String, _ suggestion: String) -> StorageError {
        .validation(field: field, description: description, recoverySuggestion: suggestion)
    }
}
