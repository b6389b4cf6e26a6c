/// Base 16 (RFC 4648, section 8), written in lower case.
package enum Hexadecimal {
    /// The digits of some bytes.
    package static func encode(_ bytes: [UInt8]) -> String {
        var output: [UInt8] = []
        output.append(hexadecimal: bytes.span)
        return String(decoding: output, as: UTF8.self)
    }

    /// The bytes digits of either case stand for; `nil` for an odd count or any other character.
    package static func decode(_ digits: some Collection<UInt8>) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(digits.count / 2)
        var high: UInt8?
        for digit in digits {
            guard let value = digit.hexadecimalValue else { return nil }
            if let first = high {
                output.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
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
}
