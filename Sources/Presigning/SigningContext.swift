import Bytes
import CryptoHashing

/// What all URLs of one second, one scope and one pair of credentials have in common, written once.
///
/// A class, so that its parts are read without counting a reference for each.
final class SigningContext: Sendable {
    private let credentials: Credentials
    private let scope: SigningScope
    private let key: SigningKey
    private let time: SigningTime
    /// The canonical query from `X-Amz-Algorithm` up to the value of `X-Amz-Expires`.
    let queryHead: [UInt8]
    /// The canonical query from there up to the value of `X-Amz-SignedHeaders`.
    let queryTail: [UInt8]
    /// The string to sign up to the hash, and its padding.
    private let stringToSignHead: [UInt8]
    private let stringToSignPadding: [UInt8]
    /// The key after the whole blocks of that, one of the four that are hashed for each signature.
    private let startedMAC: HMACSHA256
    private let startedCount: Int

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
        let text = StringToSign.head(scope: scope, time: time)
        stringToSignHead = text
        stringToSignPadding = StringToSign.padding(head: text)
        startedCount = text.count / SHA256.blockByteCount * SHA256.blockByteCount
        startedMAC = key.continuing(after: text.span.extracting(..<startedCount))
    }

    /// Whether the signing key serves these credentials and this scope; the very same credentials are meant.
    func serves(_ credentials: Credentials, _ endpoint: S3Endpoint.Parts, dayNumber: Int) -> Bool {
        credentials === self.credentials && scope.dayNumber == dayNumber
            && scope.region == endpoint.region && scope.service == endpoint.service
    }

    /// The context of a second of the same day; nil for the one this is made for.
    func moved(to time: SigningTime) -> SigningContext? {
        guard time != self.time else { return nil }
        return SigningContext(credentials, scope, key, time, queryTail: queryTail)
    }

    /// Writes the string to sign of a canonical request and signs it.
    func sign(_ digest: SHA256Digest, writing stringToSign: inout StringToSign) -> SHA256Digest {
        stringToSign.write(digest, between: stringToSignHead, and: stringToSignPadding)
        let end = stringToSign.memory.span.extracting(startedCount..<stringToSign.paddedCount)
        return startedMAC.authenticationCode(forMessageEndingWith: end)
    }
}
