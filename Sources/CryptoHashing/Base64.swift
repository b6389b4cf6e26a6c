/// Base 64 with padding (RFC 4648, section 4), as S3's headers want digests and keys.
public enum Base64 {
    /// The text of some bytes.
    public static func encode(_ bytes: [UInt8]) -> String {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var group: UInt32 = 0
            for offset in 0..<3 {
                group = group << 8 | (offset < count ? UInt32(bytes[start + offset]) : 0)
            }
            for place in 0..<4 {
                output.append(place <= count ? character(UInt8(group >> UInt32(18 - 6 * place) & 63)) : 0x3d)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func character(_ value: UInt8) -> UInt8 {
        switch value {
        case 0..<26: 0x41 + value
        case 26..<52: 0x61 + value - 26
        case 52..<62: 0x30 + value - 52
        case 62: 0x2b
        default: 0x2f
        }
    }
}
