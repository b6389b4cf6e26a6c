/// Base64 (RFC 4648). Each byte string has exactly one encoding per alphabet; `decode` accepts only that one.
public enum Base64 {
    /// The characters for 62 and 63, and whether `=` pads the text.
    public enum Alphabet: Sendable {
        /// `+` and `/`, padded (section 4): digests and keys in S3's headers, PEM.
        case standard
        /// `-` and `_`, not padded (section 5): JSON Web Tokens (RFC 7515 section 2), API keys.
        case url
    }

    /// Returns the encoding of some bytes.
    public static func encode(_ bytes: [UInt8], _ alphabet: Alphabet = .standard) -> String {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count + 2) / 3 * 4)
        var (bits, bitCount): (UInt32, UInt32) = (0, 0)
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 6 {
                bitCount -= 6
                output.append(alphabet.character(of: bits >> bitCount & 63))
            }
        }
        if bitCount > 0 { output.append(alphabet.character(of: bits << (6 - bitCount) & 63)) }
        while alphabet == .standard, !output.count.isMultiple(of: 4) { output.append(ASCII.equals) }
        return String(decoding: output, as: UTF8.self)
    }

    /// Returns the bytes of a text, or nil if `encode` would not write it: because of another character, whitespace,
    /// missing or surplus padding, an impossible length, or unused bits that are not zero.
    public static func decode(_ text: Span<UInt8>, _ alphabet: Alphabet = .standard) -> [UInt8]? {
        var count = text.count
        if alphabet == .standard {
            guard count.isMultiple(of: 4) else { return nil }
            while count > 0, text.count - count < 2, text[count - 1] == ASCII.equals { count -= 1 }
        }
        var (bits, bitCount): (UInt32, UInt32) = (0, 0)
        var isValid = true
        let output = [UInt8](capacity: count * 3 / 4) { output in
            for index in 0..<count {
                guard let value = alphabet.value(of: text[index]) else { return isValid = false }
                bits = bits << 6 | value
                bitCount += 6
                guard bitCount >= 8 else { continue }
                bitCount -= 8
                output.append(UInt8(truncatingIfNeeded: bits >> bitCount))
            }
        }
        // Six unused bits mean that the last character does not complete a byte.
        return isValid && bitCount < 6 && bits & (1 << bitCount - 1) == 0 ? output : nil
    }
}

extension Base64.Alphabet {
    fileprivate func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a") + 26)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0") + 52)
        case self.character(of: 62): 62
        case self.character(of: 63): 63
        default: nil
        }
    }

    /// - Parameter value: 0 to 63
    fileprivate func character(of value: UInt32) -> UInt8 {
        switch UInt8(truncatingIfNeeded: value) {
        case let value where value < 26: UInt8(ascii: "A") + value
        case let value where value < 52: UInt8(ascii: "a") + value - 26
        case let value where value < 62: UInt8(ascii: "0") + value - 52
        case 62: self == .url ? UInt8(ascii: "-") : UInt8(ascii: "+")
        default: self == .url ? UInt8(ascii: "_") : UInt8(ascii: "/")
        }
    }
}
