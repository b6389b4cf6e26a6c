/// Why no URL was given, with what is wrong and how to mend it. No text ever holds a secret or a signature.
public enum StorageError: Error, Sendable, Hashable {
    /// The request or the configuration cannot be used; `field` names the part to change.
    case validation(field: String, description: String, recoverySuggestion: String)
    /// The object does not exist, although the request wanted it to.
    case keyNotFound(key: StoragePath)
    /// The storage did not let the service look at the object.
    case accessDenied(description: String, recoverySuggestion: String)
    /// There are no credentials a URL could be signed with.
    case authError(description: String, recoverySuggestion: String)
    /// The storage did not answer, or not in a way that could be used.
    case service(description: String, recoverySuggestion: String)

    /// What is wrong, in one sentence.
    public var errorDescription: String {
        switch self {
        case .validation(let field, let description, _): "\(field): \(description)"
        case .keyNotFound(let key): "There is no object under the key \(key.text.debugDescription)."
        case .accessDenied(let description, _), .authError(let description, _), .service(let description, _):
            description
        }
    }

    /// How to mend it, in one sentence.
    public var recoverySuggestion: String {
        switch self {
        case .validation(_, _, let suggestion), .accessDenied(_, let suggestion), .authError(_, let suggestion),
            .service(_, let suggestion):
            suggestion
        case .keyNotFound:
            "Check the key, upload the object first, or ask without validateObjectExistence."
        }
    }
}

extension StorageError: CustomStringConvertible {
    /// What is wrong and how to mend it.
    public var description: String { "\(errorDescription) \(recoverySuggestion)" }
}

extension StorageError {
    /// A shorter way to write a refusal in the many places that check something.
    static func invalid(_ field: String, _ description: String, _ suggestion: String) -> StorageError {
        .validation(field: field, description: description, recoverySuggestion: suggestion)
    }
}
