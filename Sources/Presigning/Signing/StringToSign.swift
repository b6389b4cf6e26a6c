import Cryptography
import Text

/// The text that is signed: algorithm, time, scope and the hash of a canonical request.
///
/// All but the hash is the same for every URL of one second and scope, so it is authenticated once.
final class StringToSign: Sendable {
    /// Algorithm, time and scope, each with its line feed.
    let head: [UInt8]
    /// The signing key after `head`.
    private let startedMAC: HMACSHA256

    /// Begins the text of a scope and a time.
    ///
    /// - Parameter key: derived for `scope`.
    init(scope: SigningScope, time: SigningTime, key: SigningKey) {
        var head = Array("\(QueryParameter.algorithmName)\n".utf8)
        time.appendBasic(to: &head)
        head.append(0x0a)
        scope.append(slash: "/", to: &head)
        head.append(0x0a)
        self.head = head
        startedMAC = key.continuing(after: head.span)
    }

    /// Returns the signature of the canonical request that has this hash.
    func signature(ofHash hash: SHA256Digest) -> SHA256Digest {
        let digits = InlineArray<64, UInt8>(initializingWith: { $0.append(hexadecimal: hash) })
        return startedMAC.authenticationCode(for: digits.span)
    }
}
