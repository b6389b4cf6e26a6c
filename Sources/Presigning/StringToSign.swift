import CryptoHashing

/// The text that is signed: algorithm, time, scope and the canonical request's hash, in a buffer that is used again.
struct StringToSign: Sendable {
    private(set) var bytes: [UInt8] = []

    /// Writes the string to sign for a canonical request.
    mutating func write(canonicalRequest: [UInt8], scope: SigningScope, time: SigningTime) {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(QueryParameter.algorithmName)
        bytes.append(0x0a)
        time.appendBasic(to: &bytes)
        bytes.append(0x0a)
        scope.append(slash: "/", to: &bytes)
        bytes.append(0x0a)
        SHA256.hash(canonicalRequest).appendHex(to: &bytes)
    }
}
