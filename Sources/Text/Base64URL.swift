/// Base 64 for URLs, without padding (RFC 4648 section 5, as RFC 7515 section 2 wants it).
package enum Base64URL {
    /// The bytes a text stands for. One text stands for some bytes, not several: nil for padding, space and any other
    /// character, for a length that cannot be, and when the bits that are left over are not zero.
    package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        let rest = text.count % 4
        guard rest != 1 else { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(text.count / 4 * 3 + 2)
        var group: UInt32 = 0
        for index in text.indices {
            guard let value = value(of: text[index]) else { return nil }
            group = group << 6 | value
            guard index % 4 == 3 else { continue }
            for shift: UInt32 in [16, 8, 0] { output.append(UInt8(truncatingIfNeeded: group >> shift)) }
            group = 0
        }
        switch rest {
        case 2:
            guard group & 15 == 0 else { return nil }
            output.append(UInt8(truncatingIfNeeded: group >> 4))
        case 3:
            guard group & 3 == 0 else { return nil }
            output.append(UInt8(truncatingIfNeeded: group >> 10))
            output.append(UInt8(truncatingIfNeeded: group >> 2))
        default: break
        }
        return output
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a") + 26)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0") + 52)
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
