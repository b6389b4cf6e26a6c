/// Base 64 with padding (RFC 4648, section 4), as S3's headers want digests and keys.
package enum Base64 {
    /// The text of some bytes.
    package static func encode(_ bytes: [UInt8]) -> String {
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

    /// The bytes a text stands for; `nil` unless it is padded, holds no other character, and its unused bits are zero.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count.isMultiple(of: 4) else { return nil }
        let padding = text.suffix(2).count { $0 == 0x3d }
        var output: [UInt8] = []
        output.reserveCapacity(text.count / 4 * 3)
        var group: UInt32 = 0
        var places: UInt32 = 0
        for byte in text.dropLast(padding) {
            guard let value = value(of: byte) else { return nil }
            group = group << 6 | value
            places += 1
            guard places.isMultiple(of: 4) else { continue }
            for shift: UInt32 in [16, 8, 0] { output.append(UInt8(group >> shift & 0xFF)) }
            group = 0
        }
        // One text stands for some bytes, not several: what padding leaves over must be zero.
        switch padding {
        case 0: return output
        case 1 where group & 3 == 0: return output + [UInt8(group >> 10 & 0xFF), UInt8(group >> 2 & 0xFF)]
        case 2 where group & 15 == 0: return output + [UInt8(group >> 4 & 0xFF)]
        default: return nil
        }
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case 0x41...0x5a: UInt32(character - 0x41)
        case 0x61...0x7a: UInt32(character - 0x61 + 26)
        case 0x30...0x39: UInt32(character - 0x30 + 52)
        case 0x2b: 62
        case 0x2f: 63
        default: nil
        }
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
