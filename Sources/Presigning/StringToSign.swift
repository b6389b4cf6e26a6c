import Bytes
import CryptoHashing

/// The text that is signed: algorithm, time, scope and the canonical request's hash, in a buffer that is used again.
struct StringToSign: Sendable {
    private(set) var bytes: [UInt8] = []

    /// Writes the string to sign of a canonical request, after a head made by `appendHead`.
    mutating func write(head: [UInt8], canonicalRequest: [UInt8]) {
        let digest = SHA256.hash(canonicalRequest.span)
        bytes.removeAll(keepingCapacity: true)
        bytes.append(addingCapacity: head.count + 2 * SHA256Digest.byteCount) { output in
            output.append(head)
            output.append(hexadecimal: digest.storage.span)
        }
    }

    /// Appends algorithm, time and scope.
    static func appendHead(scope: SigningScope, time: SigningTime, to output: inout [UInt8]) {
        output.append(contentsOf: QueryParameter.algorithmName.utf8)
        output.append(0x0a)
        time.appendBasic(to: &output)
        output.append(0x0a)
        scope.append(slash: "/", to: &output)
        output.append(0x0a)
    }
}
