/// Base 16 (RFC 4648, section 8), written in lower case.
public enum Hexadecimal {
    /// Appends two digits for every byte.
    public static func append(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
        // Room first, then the digits in place: cheaper than to append each.
        let start = output.count
        if bytes.count * 2 == digestRoom.count {
            output.append(contentsOf: digestRoom)
        } else {
            output.append(contentsOf: repeatElement(0, count: bytes.count * 2))
        }
        var digits = output.mutableSpan
        for index in bytes.indices {
            digits[start + 2 * index] = digit(bytes[index] >> 4)
            digits[start + 2 * index + 1] = digit(bytes[index] & 15)
        }
    }

    /// The digits of some bytes.
    public static func encode(_ bytes: [UInt8]) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count * 2)
        append(bytes.span, to: &output)
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

    /// Room for the digits of a SHA-256: one copy, where a count of zeros is written one by one.
    private static let digestRoom = [UInt8](repeating: 0, count: 64)

    private static func digit(_ value: UInt8) -> UInt8 {
        // Without a branch, which random digits would make the processor guess wrong.
        0x30 &+ value &+ ((9 &- value) >> 7) &* 39
    }
}
