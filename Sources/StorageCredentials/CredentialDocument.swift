import DataFormats
import Presigning

/// The JSON document in which programs and endpoints return credentials.
///
/// Error messages never quote its content, because it contains secrets.
struct CredentialDocument {
    /// The maximum size in bytes.
    static let maximumSize = 64 * 1024

    private let source: String
    private let value: JSONValue

    /// Parses a document.
    ///
    /// - Throws: `CredentialFailure` if the bytes are not a JSON object.
    init(_ bytes: [UInt8], from source: String) throws(CredentialFailure) {
        self.source = source
        do {
            value = try JSONValue(parsing: bytes, limits: JSONLimits(size: Self.maximumSize))
        } catch {
            throw CredentialFailure(source: source, reason: "the credential document is not valid JSON: \(error)")
        }
        guard case .object = value else {
            throw CredentialFailure(source: source, reason: "the credential document is not a JSON object")
        }
    }

    /// Returns the value of a field, or nil if it is missing or null.
    subscript(name: String) -> JSONValue? {
        value[name].flatMap { $0 == .null ? nil : $0 }
    }

    /// Returns the credentials in the document.
    ///
    /// - Parameters:
    ///   - tokenField: the name of the session token's field.
    ///   - allowsLongTerm: whether session token and expiration may be missing.
    func credentials(tokenField: String, allowsLongTerm: Bool) throws(CredentialFailure) -> Credentials {
        guard let id = try text("AccessKeyId"), let secret = try text("SecretAccessKey") else {
            throw failure("the credential document must have AccessKeyId and SecretAccessKey")
        }
        let token = try text(tokenField)
        let expiration = try expiration()
        guard allowsLongTerm || (token != nil && expiration != nil) else {
            throw failure("the credential document has no \(token == nil ? tokenField : "Expiration")")
        }
        return try Credentials(from: source, id, secret, sessionToken: token, expiration: expiration)
    }

    private func text(_ name: String) throws(CredentialFailure) -> String? {
        guard let value = self[name] else { return nil }
        guard let bytes = value.string else { throw failure("\(name) in the credential document is not a string") }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    private func expiration() throws(CredentialFailure) -> SigningTime? {
        guard let text = try text("Expiration") else { return nil }
        guard let time = SigningTime(rfc3339: text) else {
            throw failure("Expiration in the credential document is not an RFC 3339 time")
        }
        return time
    }

    private func failure(_ reason: String) -> CredentialFailure {
        CredentialFailure(source: source, reason: reason)
    }
}
