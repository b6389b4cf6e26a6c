import Cryptography
import Text

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
    /// - Parameter key: the signing key for `scope`.
    init(scope: SigningScope, time: SigningTime, key: SigningKey) {
        var head = ByteBuffer(capacity: 80)
        head.append(utf8: "\(QueryParameter.algorithmName)\n")
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
}
