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

    /// Returns the signature of a text that states its scope itself, such as a POST policy.
    func signature(of text: [UInt8]) -> SHA256Digest { hmac.authenticationCode(for: text) }
}

/// The credential scope of Signature Version 4: the day, region and service that a signing key is valid for.
struct SigningScope: Sendable, Equatable {
    /// Days since 1970-01-01.
    let dayNumber: Int
    let region: [UInt8]
    let service: [UInt8]

    /// Appends `YYYYMMDD/region/service/aws4_request`.
    ///
    /// - Parameter slash: the separator, `/`, or `%2F` in a query.
    func append(slash: StaticString, to output: inout ByteBuffer) {
        SigningTime(secondsSince1970: Int64(dayNumber) * 86_400).appendDay(to: &output)
        output.append(slash)
        output.append(region)
        output.append(slash)
        output.append(service)
        output.append(slash)
        output.append("aws4_request")
    }
}

/// The string to sign of Signature Version 4: algorithm, time, scope and the hash of a canonical request.
///
/// Everything before the hash is the same for all URLs of one second and scope, so its MAC is computed once.
final class StringToSign: Sendable {
    /// Algorithm, time and scope. Each ends with a line feed.
    let head: [UInt8]
    /// A MAC with the signing key that has processed `head`.
    private let startedMAC: HMACSHA256

    /// Creates the string to sign without the hash.
    ///
    /// - Parameters:
    ///   - algorithm: the first line.
    ///   - key: the signing key for `scope`.
    init(
        _ algorithm: String = QueryParameter.algorithmName, scope: SigningScope, time: SigningTime, key: SigningKey
    ) {
        var head = ByteBuffer(capacity: 80)
        head.append(utf8: "\(algorithm)\n")
        time.appendBasic(to: &head)
        head.append(ASCII.lineFeed)
        scope.append(slash: "/", to: &head)
        head.append(ASCII.lineFeed)
        let bytes = head.bytes
        self.head = bytes
        startedMAC = key.continuing(after: bytes.span)
    }

    /// Returns the signature of the canonical request with the given hash.
    func signature(ofHash hash: SHA256Digest) -> SHA256Digest {
        startedMAC.authenticationCode(for: hash.hexadecimal.span)
    }

    /// Returns the signature of a string that continues with `lines`.
    func signature(of lines: [UInt8]) -> SHA256Digest {
        startedMAC.authenticationCode(for: lines)
    }
}
