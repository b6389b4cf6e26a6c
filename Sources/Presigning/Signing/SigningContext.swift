import Cryptography
import Text

/// The common parts of all URLs and forms that share the second, the credential scope and the credentials.
final class SigningContext: Sendable {
    private let credentials: Credentials
    private let scope: SigningScope
    private let time: SigningTime
    private let key: SigningKey
    /// The canonical query from `X-Amz-Algorithm` up to the value of `X-Amz-Expires`.
    let queryHead: [UInt8]
    /// The canonical query after the value of `X-Amz-Expires` up to the value of `X-Amz-SignedHeaders`.
    let queryTail: [UInt8]
    /// The string to sign without the hash of a canonical request.
    let stringToSign: StringToSign

    /// Derives the signing key and builds the common parts of the query.
    init(credentials: Credentials, endpoint: S3Endpoint, time: SigningTime) {
        let scope = SigningScope(
            dayNumber: time.dayNumber, region: endpoint.parts.region, service: endpoint.parts.service)
        (self.credentials, self.scope, self.time) = (credentials, scope, time)
        var head = ByteBuffer(capacity: 160)
        head.append(utf8: "\(QueryParameter.algorithm)=\(QueryParameter.algorithmName)&\(QueryParameter.credential)=")
        PercentEncoding.query.append(credentials.accessKeyID.utf8.span, to: &head)
        head.append("%2F")
        scope.append(slash: "%2F", to: &head)
        head.append(utf8: "&\(QueryParameter.date)=")
        time.appendBasic(to: &head)
        head.append(utf8: "&\(QueryParameter.expires)=")
        queryHead = head.bytes
        var tail = ByteBuffer()
        if let token = credentials.sessionToken {
            tail.append(utf8: "&\(QueryParameter.securityToken)=")
            PercentEncoding.query.append(token.utf8.span, to: &tail)
        }
        tail.append(utf8: "&\(QueryParameter.signedHeaders)=")
        queryTail = tail.bytes
        key = SigningKey(secret: credentials.secretAccessKey, scope: scope)
        stringToSign = StringToSign(scope: scope, time: time, key: key)
    }

    /// The access key id and the scope, as forms and the `Authorization` header state them.
    var credential: String {
        var scopeText = ByteBuffer(capacity: 48)
        scope.append(slash: "/", to: &scopeText)
        return "\(credentials.accessKeyID)/\(String(decoding: scopeText.bytes, as: UTF8.self))"
    }

    /// The time and the session token, as headers or as fields of a form.
    var commonFields: [(name: String, value: String)] {
        [(name: "x-amz-date", value: time.basicText)]
            + (credentials.sessionToken.map { [(name: "x-amz-security-token", value: $0)] } ?? [])
    }

    /// The fields that state how the policy of a form is signed.
    var formFields: [(name: String, value: String)] {
        [
            (name: "x-amz-algorithm", value: QueryParameter.algorithmName),
            (name: "x-amz-credential", value: credential),
        ] + commonFields
    }

    /// Returns the signature of a policy.
    ///
    /// - Parameter policy: in Base64.
    func signature(ofPolicy policy: [UInt8]) -> SHA256Digest { key.signature(of: policy) }

    /// Returns whether the context is valid for the credentials, the endpoint's scope and the second.
    func matches(_ credentials: Credentials, _ endpoint: S3Endpoint, at time: SigningTime) -> Bool {
        time == self.time && credentials === self.credentials && scope.region == endpoint.parts.region
            && scope.service == endpoint.parts.service
    }
}

/// The query parameters of Signature Version 4, in canonical order except for the signature.
enum QueryParameter {
    /// The prefix of all names.
    static let prefix = "X-Amz-"

    static let algorithm = "X-Amz-Algorithm"
    static let credential = "X-Amz-Credential"
    static let date = "X-Amz-Date"
    static let expires = "X-Amz-Expires"
    static let securityToken = "X-Amz-Security-Token"
    static let signedHeaders = "X-Amz-SignedHeaders"
    static let signature = "X-Amz-Signature"

    /// The only supported value of `X-Amz-Algorithm`.
    static let algorithmName = "AWS4-HMAC-SHA256"

    /// All names in lower case.
    static let reserved: Set<String> = [
        "x-amz-algorithm", "x-amz-credential", "x-amz-date", "x-amz-expires", "x-amz-security-token",
        "x-amz-signedheaders", "x-amz-signature",
    ]
}
