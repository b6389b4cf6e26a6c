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

    /// Writes the string to sign of a canonical request between what `head` and `padding` make.
    mutating func write(_ digest: SHA256Digest, between head: [UInt8], and padding: [UInt8]) {
        count = head.count + 2 * SHA256Digest.byteCount
        paddedCount = memory.overwrite(atMost: count + padding.count) { output in
            output.append(head)
            output.append(hexadecimal: digest.storage.span)
            output.append(padding)
        }
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

    /// The padding of a string with such a head.
    static func padding(head: [UInt8]) -> [UInt8] {
        var padding: [UInt8] = []
        padding.append(addingCapacity: SHA256.longestPadding) { output in
            HMACSHA256.appendPadding(ofMessage: head.count + 2 * SHA256Digest.byteCount, to: &output)
        }
        return padding
    }
}
