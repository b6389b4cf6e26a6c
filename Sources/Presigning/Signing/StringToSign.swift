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
        var head = Array("\(QueryParameter.algorithmName)\n".utf8)
        time.appendBasic(to: &head)
        head.append(0x0a)
        scope.append(slash: "/", to: &head)
        head.append(0x0a)
        self.head = head
        startedMAC = key.continuing(after: head.span)
    }

    /// Returns the signature of the canonical request with the given hash.
    func signature(ofHash hash: SHA256Digest) -> SHA256Digest {
        let digits = InlineArray<64, UInt8>(initializingWith: { $0.append(hexadecimal: hash) })
        return startedMAC.authenticationCode(for: digits.span)
    }
}
