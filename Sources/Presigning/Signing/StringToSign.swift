import Cryptography
import Text

/// The text that is signed: algorithm, time, scope and the hash of a canonical request.
///
/// All that one second and one scope fix is written and hashed once; the hash is written into a copy of the rest.
/// A class, so that only that is copied.
final class StringToSign: Sendable {
    /// The text's last blocks with room for the hash and with their padding: what the head leaves, less than a block, the
    /// hash, which fills one, and up to 72 bytes.
    private let lastBlocks: InlineArray<192, UInt8>
    private let lastCount: Int
    private let hashStart: Int
    /// The key after the blocks before, one of the four that are hashed for each signature.
    private let startedMAC: HMACSHA256

    /// The text of a scope and a moment, to be signed with a key of that scope.
    init(scope: SigningScope, time: SigningTime, key: SigningKey) {
        let head = Self.head(scope: scope, time: time)
        hashStart = head.count % SHA256.blockByteCount
        startedMAC = key.continuing(after: head.span.extracting(droppingLast: hashStart))
        var text = Array(head.suffix(hashStart)) + [UInt8](repeating: 0, count: 2 * SHA256Digest.byteCount)
        text.append(addingCapacity: SHA256.longestPadding) { output in
            HMACSHA256.appendPadding(ofMessage: head.count + 2 * SHA256Digest.byteCount, to: &output)
        }
        lastCount = text.count
        lastBlocks = InlineArray { [text] index in index < text.count ? text[index] : 0 }
    }

    /// The signature of a canonical request, whose hash is given.
    func signature(ofHash hash: SHA256Digest) -> SHA256Digest {
        var blocks = lastBlocks
        var text = blocks.mutableSpan
        text.overwrite(from: hashStart) { $0.append(hexadecimal: hash) }
        return startedMAC.authenticationCode(forMessageEndingWith: blocks.span.extracting(..<lastCount))
    }

    /// Algorithm, time and scope, with which it begins.
    static func head(scope: SigningScope, time: SigningTime) -> [UInt8] {
        var head = Array("\(QueryParameter.algorithmName)\n".utf8)
        time.appendBasic(to: &head)
        head.append(0x0a)
        scope.append(slash: "/", to: &head)
        head.append(0x0a)
        return head
    }
}
