import DataFormats
import Presigning
import Text

/// What is said to STS for a role by a web identity, and what it answers.
enum STSExchange {
    /// The form.
    static func body(role: String, session: String, token: [UInt8]) -> [UInt8] {
        let fields: [(name: String, value: [UInt8])] = [
            ("Action", Array("AssumeRoleWithWebIdentity".utf8)), ("Version", Array("2011-06-15".utf8)),
            ("RoleArn", Array(role.utf8)), ("RoleSessionName", Array(session.utf8)), ("WebIdentityToken", token),
        ]
        var body: [UInt8] = []
        for field in fields {
            if !body.isEmpty { body.append(UInt8(ascii: "&")) }
            body += "\(field.name)=".utf8
            body += PercentEncoding.query.encode(field.value)
        }
        return body
    }

    /// The credentials of an answer; of an error its code.
    static func credentials(
        in document: [UInt8], status: Int, from source: String
    ) throws(CredentialFailure) -> Credentials {
        let failure = { (reason: String) in CredentialFailure(source: source, reason: reason) }
        let root: XMLElement
        do {
            root = try XMLReader.root(of: document)
        } catch {
            throw failure(status == 200 ? "the answer is no XML" : "it answered \(status)")
        }
        guard status == 200 else { throw failure("it answered \(status)\(code(of: root))") }
        guard root.isNamed("AssumeRoleWithWebIdentityResponse"),
            let found = root.child("AssumeRoleWithWebIdentityResult")?.child("Credentials"),
            let id = found.string("AccessKeyId"), let secret = found.string("SecretAccessKey"),
            let token = found.string("SessionToken"), let end = found.string("Expiration")
        else { throw failure("the answer has no AccessKeyId, SecretAccessKey, SessionToken and Expiration") }
        guard let expiration = SigningTime(rfc3339: end) else {
            throw failure("Expiration in the answer is no RFC 3339 time")
        }
        return try Credentials(from: source, id, secret, sessionToken: token, expiration: expiration)
    }

    /// `ExpiredToken` and its like are made to be read; anything else is not repeated.
    private static func code(of root: XMLElement) -> String {
        guard root.isNamed("ErrorResponse"), let code = root.child("Error")?.string("Code"),
            1...64 ~= code.utf8.count,
            code.utf8.allSatisfy(ASCII.isAlphanumeric)
        else { return "" }
        return ": \(code)"
    }
}

extension XMLElement {
    fileprivate func isNamed(_ name: String) -> Bool { self.name.elementsEqual(name.utf8) }

    /// The only child of a name.
    fileprivate func child(_ name: String) -> XMLElement? {
        let found = children.filter { $0.isNamed(name) }
        return found.count == 1 ? found[0] : nil
    }

    /// The text of the only child of a name, which is not empty.
    fileprivate func string(_ name: String) -> String? {
        guard let text = text(of: name), !text.isEmpty else { return nil }
        return String(decoding: text, as: UTF8.self)
    }
}
