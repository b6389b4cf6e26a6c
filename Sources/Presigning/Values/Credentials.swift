public import Cryptography
import Text

/// AWS credentials that sign URLs.
///
/// Descriptions and dumps show the access key id only.
public final class Credentials: Sendable {
    /// The access key id, which appears in every URL.
    public let accessKeyID: String
    /// The secret access key, which never leaves the process.
    public let secretAccessKey: SecretBytes
    /// The session token of temporary credentials. Every URL signed with them contains it.
    public let sessionToken: String?
    /// The time when temporary credentials expire, and with them every URL they signed.
    public let expiration: SigningTime?
    /// The name of the credential source for messages, such as `profile dev`.
    public let source: String?

    /// Creates credentials from their parts.
    ///
    /// - Throws: `StorageError.validation` if the access key id, the secret or the session token is empty, contains
    ///   control characters, begins or ends with a blank, or is in quotation marks.
    public init(
        accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil, expiration: SigningTime? = nil,
        source: String? = nil
    ) throws(StorageError) {
        try Self.check(accessKeyID, field: "accessKeyId")
        try Self.check(secretAccessKey, field: "secretAccessKey")
        if let sessionToken { try Self.check(sessionToken, field: "sessionToken") }
        self.accessKeyID = accessKeyID
        self.secretAccessKey = SecretBytes([UInt8](secretAccessKey.utf8))
        self.sessionToken = sessionToken
        self.expiration = expiration
        self.source = source
    }

    private static func check(_ value: String, field: String) throws(StorageError) {
        guard let first = value.first, let last = value.last, !value.utf8.contains(where: ASCII.isControl) else {
            throw .invalid(
                field, "It is empty or contains control characters.",
                "Pass it exactly as it was issued, without a line break.")
        }
        guard !first.isWhitespace, !last.isWhitespace else {
            throw .invalid(field, "It begins or ends with a blank.", "Pass it exactly as it was issued.")
        }
        guard !(quotationMarks.contains(first) && quotationMarks.contains(last)) else {
            throw .invalid(
                field, "It is in quotation marks, which `docker run --env-file` passes on.",
                "Remove the quotation marks.")
        }
    }

    private static let quotationMarks: Set<Character> = [
        "\"", "'", "`", "\u{201C}", "\u{201D}", "\u{2018}", "\u{2019}",
    ]
}
