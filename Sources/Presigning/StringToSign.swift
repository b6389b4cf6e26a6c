import CryptoHashing

/// The text that is signed: algorithm, time, scope and the canonical request's hash, in a buffer that is used again.
struct StringToSign: Sendable {
    private(set) var bytes: [UInt8] = []

    /// Writes the string to sign of a canonical request, after a head made by `appendHead`.
    mutating func write(head: [UInt8], canonicalRequest: [UInt8]) {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: head)
        SHA256.hash(canonicalRequest).appendHex(to: &bytes)
    }

    /// Appends algorithm, time and scope.
    static func appendHead(scope: SigningScope, time: SigningTime, to output: inout [UInt8]) {
        output.append(QueryParameter.algorithmName)
        output.append(0x0a)
        time.appendBasic(to: &output)
        output.append(0x0a)
        scope.append(slash: "/", to: &output)
        output.append(0x0a)
    }
}
