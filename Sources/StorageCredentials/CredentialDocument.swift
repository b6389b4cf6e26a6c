import DataFormats
import Presigning

/// The JSON that programs and endpoints give credentials in. Whatever is wrong with it, nothing of it is repeated.
struct CredentialDocument {
    /// The most that is read of one, in bytes.
    static let longest = 64 * 1024

    private let source: String
    private let value: JSONValue

    /// - Throws: for what is no JSON object.
    init(_ bytes: [UInt8], from source: String) throws(CredentialFailure) {
        self.source = source
        do {
            value = try JSONValue(parsing: bytes, limits: JSONLimits(size: Self.longest))
        } catch {
            throw CredentialFailure(source: source, reason: "the answer is no JSON: \(error)")
        }
        guard case .object = value else {
            throw CredentialFailure(source: source, reason: "the answer is no JSON object")
        }
    }

    /// A member; nil when it is absent or null.
    subscript(name: String) -> JSONValue? {
        value[name].flatMap { $0 == .null ? nil : $0 }
    }

    /// The credentials in it.
    ///
    /// - Parameters:
    ///   - tokenMember: what the session token is called.
    ///   - mayLast: whether they may lack a token and an end.
    func credentials(tokenMember: String, mayLast: Bool) throws(CredentialFailure) -> Credentials {
        guard let id = try text("AccessKeyId"), let secret = try text("SecretAccessKey") else {
            throw failure("the answer has no AccessKeyId and SecretAccessKey")
        }
        let token = try text(tokenMember)
        let expiration = try expiration()
        guard mayLast || (token != nil && expiration != nil) else {
            throw failure("the answer has no \(token == nil ? tokenMember : "Expiration")")
        }
        return try Credentials(from: source, id, secret, sessionToken: token, expiration: expiration)
    }

    private func text(_ name: String) throws(CredentialFailure) -> String? {
        guard let value = self[name] else { return nil }
        guard let bytes = value.string else { throw failure("\(name) in the answer is no text") }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    private func expiration() throws(CredentialFailure) -> SigningTime? {
        guard let text = try text("Expiration") else { return nil }
        guard let time = SigningTime(rfc3339: text) else {
            throw failure("Expiration in the answer is no RFC 3339 time")
        }
        return time
    }

    private func failure(_ reason: String) -> CredentialFailure {
        CredentialFailure(source: source, reason: reason)
    }
}
