public import Cryptography
import Text

// A signed header can be a customer-provided encryption key, so types that contain headers show only the names.

extension SignedHeaders: Redacted {
    /// The names without values.
    public var description: String { "SignedHeaders(\(headers.map(\.name).joined(separator: ", ")))" }
}

extension SignedHeaders.Header: Redacted {
    /// The name without the value.
    public var description: String { "\(name): (redacted)" }
}

extension AWSS3StorageGetURLTask: Redacted {
    /// Operation, bucket and key, without headers.
    public var description: String { "\(operation.name) \(bucket.name)/\(key.text)" }
}

extension Presigner: Redacted {
    /// The type name only, without keys.
    public var description: String { "Presigner" }
}

extension PresignedURL: Redacted {
    /// Method and URL without the query, which contains the signature.
    public var description: String {
        "\(method) \(String(decoding: bytes.prefix { $0 != ASCII.question }, as: UTF8.self)) (signature redacted)"
    }
}

extension PresignedForm: Redacted {
    /// Method and URL, without the fields, which contain the signature.
    public var description: String { "\(action.method) \(action.text) (fields redacted)" }
}

extension Credentials: Redacted {
    /// The access key id and the kind of credentials, without secret and session token.
    public var description: String {
        "Credentials(\(accessKeyID), \(sessionToken == nil ? "long-term" : "temporary"), secrets redacted)"
    }
}
