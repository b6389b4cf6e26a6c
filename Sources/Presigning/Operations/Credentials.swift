public import Cryptography
import Text

/// What a URL is signed with. Descriptions and dumps show the access key id at most.
public final class Credentials: Sendable {
    /// The public half, which every URL names.
    public let accessKeyID: String
    /// The secret half, which never leaves the process.
    public let secretAccessKey: SecretBytes
    /// The session token of temporary credentials, which every URL signed with them carries.
    public let sessionToken: String?
    /// When temporary credentials end, and with them every URL they signed.
    public let expiration: SigningTime?
    /// Where they were found, for messages: `profile dev`.
    public let source: String?

    /// Takes credentials; an empty access key id or secret, or a token with control characters, is refused.
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
        guard !value.isEmpty, !value.utf8.contains(where: ASCII.isControl) else {
            throw .invalid(
                field, "It is empty or holds control characters.",
                "Give it exactly as it was issued, without a line break.")
        }
    }
}

extension Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Names the access key id; secret and token are left out.
    public var description: String {
        "Credentials(\(accessKeyID), \(sessionToken == nil ? "long-term" : "temporary"), secrets redacted)"
    }
    /// As `description`.
    public var debugDescription: String { description }
    /// Shows the access key id only, so that `dump` gives nothing away.
    public var customMirror: Mirror { Mirror(self, children: ["accessKeyID": accessKeyID]) }
}
