import Bytes
import CryptoHashing

/// What all URLs of one second, one scope and one pair of credentials have in common, written once.
struct SigningContext: Sendable {
    private let secret: SecretBytes
    private let scope: SigningScope
    private let key: SigningKey
    private var time: SigningTime
    private let accessKeyID: [UInt8]
    /// The canonical query from `X-Amz-Algorithm` up to the value of `X-Amz-Expires`.
    private(set) var queryHead: [UInt8] = []
    /// The canonical query from there up to the value of `X-Amz-SignedHeaders`.
    let queryTail: [UInt8]
    /// The string to sign up to the hash.
    private(set) var stringToSignHead: [UInt8] = []

    init(credentials: Credentials, scope: SigningScope, time: SigningTime) {
        secret = credentials.secretAccessKey
        accessKeyID = credentials.accessKeyIDBytes
        self.scope = scope
        self.time = time
        key = SigningKey(secret: secret, scope: scope)
        var tail: [UInt8] = []
        if let token = credentials.encodedSessionToken {
            tail += "&\(QueryParameter.securityToken)=".utf8
            tail.append(contentsOf: token)
        }
        tail += "&\(QueryParameter.signedHeaders)=".utf8
        queryTail = tail
        writeHeads()
    }

    /// Whether the signing key serves these credentials and this scope; the very same credentials are meant.
    func serves(_ credentials: Credentials, _ endpoint: S3Endpoint, dayNumber: Int) -> Bool {
        scope.dayNumber == dayNumber && secret.isCopy(of: credentials.secretAccessKey)
            && scope.region == endpoint.parts.region && scope.service == endpoint.parts.service
    }

    /// Goes on to another second of the same day.
    mutating func move(to time: SigningTime) {
        guard time != self.time else { return }
        self.time = time
        writeHeads()
    }

    /// Signs a string to sign.
    func signature(of stringToSign: [UInt8]) -> SHA256Digest {
        key.signature(of: stringToSign)
    }

    private mutating func writeHeads() {
        queryHead.removeAll(keepingCapacity: true)
        queryHead += "\(QueryParameter.algorithm)=\(QueryParameter.algorithmName)&\(QueryParameter.credential)=".utf8
        queryHead += PercentEncoding.query.encode(accessKeyID)
        queryHead.append("%2F")
        scope.append(slash: "%2F", to: &queryHead)
        queryHead += "&\(QueryParameter.date)=".utf8
        time.appendBasic(to: &queryHead)
        queryHead += "&\(QueryParameter.expires)=".utf8
        stringToSignHead.removeAll(keepingCapacity: true)
        StringToSign.appendHead(scope: scope, time: time, to: &stringToSignHead)
    }
}
