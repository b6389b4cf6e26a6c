/// Base 16 (RFC 4648, section 8), written in lower case.
package enum Hexadecimal {
    /// The digits of some bytes.
    package static func encode(_ bytes: [UInt8]) -> String {
        var output: [UInt8] = []
        output.append(hexadecimal: bytes.span)
        return String(decoding: output, as: UTF8.self)
    }

    /// The bytes of digits of either case; nil for an odd count or any other character.
    package static func decode(_ digits: some Collection<UInt8>) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(digits.count / 2)
        var rest = digits[...]
        while let high = rest.popFirst(), let low = rest.popFirst() {
            guard let byte = UInt8(hexadecimal: high, low) else { return nil }
            output.append(byte)
        }
        return output
    }
}

extension UInt8 {
    /// The value of an ASCII hexadecimal digit, either case.
    package var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The byte of two hexadecimal digits of either case; nil if one of them is another character.
    package init?(hexadecimal high: UInt8, _ low: UInt8) {
        guard let high = high.hexadecimalValue, let low = low.hexadecimalValue else { return nil }
        self = high << 4 | low
    }
}
