/// SigV4's `UriEncode`: every byte but `A-Z a-z 0-9 - . _ ~` becomes `%` and two upper-case digits, exactly once.
///
/// Source: "Create a signed AWS API request", IAM user guide. Foundation's character sets differ from it.
package struct PercentEncoding: Sendable {
    /// For names and values in a query, `/` escaped too.
    static let query = PercentEncoding(keepsSlash: false)
    /// For an object key in a path, where `/` stays.
    static let path = PercentEncoding(keepsSlash: true)

    /// One bit for each byte that stays, of 0...63 and of 64...127.
    private let low: UInt64
    private let high: UInt64

    private init(keepsSlash: Bool) {
        var masks: (low: UInt64, high: UInt64) = (keepsSlash ? 1 << 0x2f : 0, 0)
        for byte in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8 {
            if byte < 64 { masks.low |= 1 << UInt64(byte) } else { masks.high |= 1 << UInt64(byte - 64) }
        }
        (low, high) = masks
    }

    private func keeps(_ byte: UInt8) -> Bool {
        byte < 128 && (byte < 64 ? low : high) >> UInt64(byte & 63) & 1 == 1
    }

    /// Appends the encoding of some bytes; what stays is copied in runs.
    func append(_ bytes: [UInt8], to output: inout [UInt8]) {
        var start = 0
        for (index, byte) in bytes.enumerated() where !keeps(byte) {
            output.append(contentsOf: bytes[start..<index])
            output.append(0x25)
            output.append(Self.digit(byte >> 4))
            output.append(Self.digit(byte & 15))
            start = index + 1
        }
        output.append(contentsOf: bytes[start...])
    }

    /// The encoding of some bytes.
    func encode(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        append(bytes, to: &output)
        return output
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x41 + value - 10
    }
}
