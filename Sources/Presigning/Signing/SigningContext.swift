import Cryptography
import Text

/// What all URLs of one second, one scope and one pair of credentials have in common, written once.
///
/// A class, so that its parts are read without counting a reference for each.
final class SigningContext: Sendable {
    private let credentials: Credentials
    private let scope: SigningScope
    private let key: SigningKey
    let time: SigningTime
    /// The canonical query from `X-Amz-Algorithm` up to the value of `X-Amz-Expires`.
    let queryHead: [UInt8]
    /// The canonical query from there up to the value of `X-Amz-SignedHeaders`.
    let queryTail: [UInt8]
    /// What is signed with the key.
    private let stringToSign: StringToSign

    /// The bytes of the query that are at hand.
    var queryCount: Int { queryHead.count + queryTail.count }

    /// Derives the key, which is good for the whole day.
    convenience init(credentials: Credentials, scope: SigningScope, time: SigningTime) {
        var tail: [UInt8] = []
        if let token = credentials.encodedSessionToken {
            tail += "&\(QueryParameter.securityToken)=".utf8
            tail += token
        }
        tail += "&\(QueryParameter.signedHeaders)=".utf8
        self.init(
            credentials, scope, SigningKey(secret: credentials.secretAccessKey, scope: scope), time, queryTail: tail)
    }

    private init(
        _ credentials: Credentials, _ scope: SigningScope, _ key: SigningKey, _ time: SigningTime, queryTail: [UInt8]
    ) {
        self.credentials = credentials
        self.scope = scope
        self.key = key
        self.time = time
        self.queryTail = queryTail
        var head = Array(
            "\(QueryParameter.algorithm)=\(QueryParameter.algorithmName)&\(QueryParameter.credential)=".utf8)
        head += PercentEncoding.query.encode(credentials.accessKeyIDBytes)
        head.append("%2F")
        scope.append(slash: "%2F", to: &head)
        head += "&\(QueryParameter.date)=".utf8
        time.appendBasic(to: &head)
        head += "&\(QueryParameter.expires)=".utf8
        queryHead = head
        stringToSign = StringToSign(scope: scope, time: time, key: key)
    }

    /// The signature of a canonical request, whose hash is given.
    func signature(ofHash hash: SHA256Digest) -> SHA256Digest { stringToSign.signature(ofHash: hash) }

    /// Whether the signing key serves these credentials and this scope; the very same credentials are meant.
    func serves(_ credentials: Credentials, _ endpoint: S3Endpoint.Parts, dayNumber: Int) -> Bool {
        credentials === self.credentials && scope.dayNumber == dayNumber
            && scope.region == endpoint.region && scope.service == endpoint.service
    }

    /// The context of another second of the same day.
    func moved(to time: SigningTime) -> SigningContext {
        SigningContext(credentials, scope, key, time, queryTail: queryTail)
    }
}
