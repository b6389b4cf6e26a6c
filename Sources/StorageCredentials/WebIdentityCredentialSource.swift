import DataFormats
import HTTPClient
import Presigning
import System
import Text

/// A role that STS issues credentials for in exchange for a web identity token, for example with IAM roles for service
/// accounts (IRSA) in EKS.
///
/// Source: AWS SDKs and Tools Reference Guide, "Assume role credential provider"; AWS STS API Reference,
/// "AssumeRoleWithWebIdentity". The request is not signed.
package struct WebIdentityCredentialSource: NamedCredentialSource {
    static let name = "web identity"
    private let variables: CredentialVariables
    private let timeout: Duration

    /// - Parameter timeout: the time limit for the request.
    package init(_ variables: CredentialVariables, timeout: Duration = .seconds(5)) {
        self.variables = variables
        self.timeout = timeout
    }

    /// Returns the STS endpoint with role and token file, or nil if `AWS_WEB_IDENTITY_TOKEN_FILE` is not set.
    package func resolve() throws(CredentialFailure) -> CredentialResolution? {
        guard let file = variables["AWS_WEB_IDENTITY_TOKEN_FILE"] else { return nil }
        guard let role = variables["AWS_ROLE_ARN"] else {
            throw failure("AWS_WEB_IDENTITY_TOKEN_FILE is set but AWS_ROLE_ARN is not; set both or neither")
        }
        let session = variables["AWS_ROLE_SESSION_NAME"] ?? "presign"
        guard 2...64 ~= session.utf8.count, session.utf8.allSatisfy({ ASCIIName.isNameByte($0) }) else {
            throw failure("AWS_ROLE_SESSION_NAME must be 2 to 64 characters of A-Z a-z 0-9 _ + = , . @ -")
        }
        let url = try url()
        var endpoint = CredentialEndpoint(source: Self.name, url: url, timeout: timeout)
        endpoint.authorities = variables["AWS_CA_BUNDLE"]
        if !url.isSecure {
            endpoint.allows = { $0.isLoopback }
            endpoint.rule = "plain HTTP is allowed only for loopback addresses (127.0.0.0/8, ::1)"
        }
        return .fetched(
            WebIdentityCredentials(endpoint: endpoint, role: role, session: session, tokenFile: file))
    }

    private func url() throws(CredentialFailure) -> FetchURL {
        let settings = AWSSettings(variables)
        if let endpoint = settings.endpoint(of: "sts") {
            guard let url = FetchURL(endpoint.url) else {
                throw failure("\(endpoint.source) must be a URL such as https://sts.eu-west-1.amazonaws.com")
            }
            return url
        }
        guard let region = settings.region else {
            throw failure("AWS_REGION is not set; set it to the region of the STS endpoint")
        }
        guard let host = S3Endpoint.regionalHost(of: "sts", in: region), let url = FetchURL("https://\(host)") else {
            throw failure("AWS_REGION must be a region such as eu-west-1")
        }
        return url
    }
}

/// Fetches credentials from STS.
struct WebIdentityCredentials: CredentialFetcher {
    let endpoint: CredentialEndpoint
    let role: String
    let session: String
    /// The file of the web identity token. It is replaced before the token expires, so every fetch reads it.
    let tokenFile: String

    func fetch() throws(CredentialFailure) -> Credentials {
        var request = FetchRequest(.post, endpoint.url)
        _ = request.add("accept", Array("text/xml".utf8))
        _ = request.add("content-type", Array("application/x-www-form-urlencoded".utf8))
        request.body = STSExchange.body(role: role, session: session, token: try token())
        let response = try endpoint.response(to: request)
        do {
            return try STSExchange.credentials(in: response.body, status: response.status, from: endpoint.source)
        } catch {
            throw endpoint.failure(error.reason)
        }
    }

    private func token() throws(CredentialFailure) -> [UInt8] {
        var content: [UInt8]
        do {
            content = try ReadableFile.contents(of: tokenFile, limit: 20_000)
        } catch {
            throw endpoint.failure("cannot read the token: \(error)")
        }
        // Editors append a line feed, which is not part of the token.
        while let last = content.last, last == 0x0A || last == 0x0D || last == 0x20 { content.removeLast() }
        guard !content.isEmpty, content.allSatisfy(ASCII.isVisible) else {
            throw endpoint.failure("\(tokenFile) does not contain a valid token")
        }
        return content
    }
}

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
