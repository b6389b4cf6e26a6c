import Cryptography
import Text

/// A signing key, derived from the secret for one day, region and service.
struct SigningKey: Sendable {
    private let hmac: HMACSHA256

    /// Derives the key by an HMAC chain over day, region, service and `aws4_request` (IAM user guide, "Create a signed
    /// AWS API request").
    init(secret: SecretBytes, scope: SigningScope) {
        var start = Array("AWS4".utf8)
        start.reserveCapacity(4 + secret.count)
        secret.withBytes { bytes in
            for index in bytes.indices { start.append(bytes[index]) }
        }
        var day = ByteBuffer(capacity: 8)
        SigningTime(secondsSince1970: Int64(scope.dayNumber) * 86_400).appendDay(to: &day)
        var key = HMACSHA256(key: start)
        for index in start.indices { start[index] = 0 }
        for part in [day.bytes, scope.region, scope.service, Array("aws4_request".utf8)] {
            let code = key.authenticationCode(for: part)
            key = HMACSHA256(key: code.storage.span)
        }
        hmac = key
    }

    /// Returns a MAC with this key that has processed the beginning of a string to sign.
    func continuing(after head: Span<UInt8>) -> HMACSHA256 {
        hmac.continuing(after: head)
    }
}
