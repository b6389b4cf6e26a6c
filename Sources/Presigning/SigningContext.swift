import Bytes
import CryptoHashing

/// What all URLs of one second, one scope and one pair of credentials have in common, written once.
///
/// A class, so that its parts are read without counting a reference for each.
final class SigningContext: Sendable {
    private let secret: SecretBytes
    private let scope: SigningScope
    private let key: SigningKey
    private let time: SigningTime
    private let accessKeyID: [UInt8]
    /// The canonical query from `X-Amz-Algorithm` up to the value of `X-Amz-Expires`.
    let queryHead: [UInt8]
    /// The canonical query from there up to the value of `X-Amz-SignedHeaders`.
    let queryTail: [UInt8]
    /// The string to sign up to the hash.
    let stringToSignHead: [UInt8]
    /// The key, with that taken already: more than one of the blocks that are hashed for each signature.
    private let startedMAC: HMACSHA256

    /// Derives the key, which is good for the whole day.
    convenience init(credentials: Credentials, scope: SigningScope, time: SigningTime) {
        var tail: [UInt8] = []
        if let token = credentials.encodedSessionToken {
            tail += "&\(QueryParameter.securityToken)=".utf8
            tail += token
        }
        tail += "&\(QueryParameter.signedHeaders)=".utf8
        self.init(
            credentials.secretAccessKey, scope, SigningKey(secret: credentials.secretAccessKey, scope: scope), time,
            accessKeyID: credentials.accessKeyIDBytes, queryTail: tail)
    }

    private init(
        _ secret: SecretBytes, _ scope: SigningScope, _ key: SigningKey, _ time: SigningTime, accessKeyID: [UInt8],
        queryTail: [UInt8]
    ) {
        self.secret = secret
        self.scope = scope
        self.key = key
        self.time = time
        self.accessKeyID = accessKeyID
        self.queryTail = queryTail
        var head = Array(
            "\(QueryParameter.algorithm)=\(QueryParameter.algorithmName)&\(QueryParameter.credential)=".utf8)
        head += PercentEncoding.query.encode(accessKeyID)
        head.append("%2F")
        scope.append(slash: "%2F", to: &head)
        head += "&\(QueryParameter.date)=".utf8
        time.appendBasic(to: &head)
        head += "&\(QueryParameter.expires)=".utf8
        queryHead = head
        var text: [UInt8] = []
        StringToSign.appendHead(scope: scope, time: time, to: &text)
        stringToSignHead = text
        startedMAC = key.continuing(after: text)
    }

    /// Whether the signing key serves these credentials and this scope; the very same credentials are meant.
    func serves(_ credentials: Credentials, _ endpoint: S3Endpoint, dayNumber: Int) -> Bool {
        scope.dayNumber == dayNumber && secret.isCopy(of: credentials.secretAccessKey)
            && scope.region == endpoint.parts.region && scope.service == endpoint.parts.service
    }

    /// The context of a second of the same day; nil for the one this is made for.
    func moved(to time: SigningTime) -> SigningContext? {
        guard time != self.time else { return nil }
        return SigningContext(secret, scope, key, time, accessKeyID: accessKeyID, queryTail: queryTail)
    }

    /// Signs a string to sign that begins with `stringToSignHead`.
    func signature(of stringToSign: [UInt8]) -> SHA256Digest {
        startedMAC.authenticationCode(for: stringToSign.span.extracting(stringToSignHead.count...))
    }
}
