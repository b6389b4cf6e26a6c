import Bytes

/// Base 16 (RFC 4648, section 8), written in lower case.
public enum Hexadecimal {
    /// The digits of some bytes.
    public static func encode(_ bytes: [UInt8]) -> String {
        var output: [UInt8] = []
        output.append(hexadecimal: bytes.span)
        return String(decoding: output, as: UTF8.self)
    }

    /// The bytes digits of either case stand for; `nil` for an odd count or any other character.
    public static func decode(_ digits: some Collection<UInt8>) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(digits.count / 2)
        var high: UInt8?
        for digit in digits {
            guard let value = value(of: digit) else { return nil }
            if let first = high {
                output.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return output
    }

    /// What one digit of either case stands for, 0...15; `nil` for any other character.
    public static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x41 + 10
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }
}
