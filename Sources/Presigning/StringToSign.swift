import Bytes
import CryptoHashing

/// The text that is signed: algorithm, time, scope and the canonical request's hash, in a buffer that is used again.
struct StringToSign: Sendable {
    /// The text, its padding for HMAC-SHA256, and what an earlier, longer one has left.
    private(set) var memory: [UInt8] = []
    private(set) var paddedCount = 0
    private var count = 0

    /// The text.
    var bytes: ArraySlice<UInt8> { memory[..<count] }

    /// Writes the string to sign of a canonical request, after a head made by `head`.
    mutating func write(head: [UInt8], digest: SHA256Digest) {
        let count = head.count + 2 * SHA256Digest.byteCount
        paddedCount = memory.overwrite(atMost: count + SHA256.longestPadding) { output in
            output.append(head)
            output.append(hexadecimal: digest.storage.span)
            HMACSHA256.appendPadding(ofMessage: count, to: &output)
        }
        self.count = count
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
