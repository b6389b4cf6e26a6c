import DataFormats
import Presigning
import Text

/// The request and the response of `AssumeRoleWithWebIdentity` (AWS STS API Reference).
enum STSExchange {
    /// Returns the request body, a URL-encoded form.
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

    /// Returns the credentials in a response.
    ///
    /// - Throws: `CredentialFailure` if the request failed, with the status and the STS error code, or if the response
    ///   is invalid.
    static func credentials(
        in document: [UInt8], status: Int, from source: String
    ) throws(CredentialFailure) -> Credentials {
        let failure = { (reason: String) in CredentialFailure(source: source, reason: reason) }
        let root: XMLElement
        do {
            root = try XMLReader.root(of: document)
        } catch {
            throw failure(status == 200 ? "the response is not valid XML" : "it responded with status \(status)")
        }
        guard status == 200 else { throw failure("it responded with status \(status)\(code(of: root))") }
        guard root.isNamed("AssumeRoleWithWebIdentityResponse"),
            let found = root.child("AssumeRoleWithWebIdentityResult")?.child("Credentials"),
            let id = found.string("AccessKeyId"), let secret = found.string("SecretAccessKey"),
            let token = found.string("SessionToken"), let end = found.string("Expiration")
        else { throw failure("the response must have AccessKeyId, SecretAccessKey, SessionToken and Expiration") }
        guard let expiration = SigningTime(rfc3339: end) else {
            throw failure("Expiration in the response is not an RFC 3339 time")
        }
        return try Credentials(from: source, id, secret, sessionToken: token, expiration: expiration)
    }

    /// Returns the error code, such as `ExpiredToken`, for a message. Other text is not quoted.
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

    /// Returns the child with the given name if there is exactly one.
    fileprivate func child(_ name: String) -> XMLElement? {
        let found = children.filter { $0.isNamed(name) }
        return found.count == 1 ? found[0] : nil
    }

    /// Returns the text of the child with the given name if there is exactly one and it is not empty.
    fileprivate func string(_ name: String) -> String? {
        guard let text = text(of: name), !text.isEmpty else { return nil }
        return String(decoding: text, as: UTF8.self)
    }
}
