/// Hexadecimal, or Base16 (RFC 4648 section 8), written in lowercase.
public enum Hexadecimal {
    /// Returns two digits for each byte.
    public static func encode(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.flatMap { [digit($0 >> 4), digit($0 & 0x0F)] }, as: UTF8.self)
    }

    /// Returns the lowercase digit of a value from 0 to 15.
    @inlinable @inline(__always)
    public static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }

    /// Parses digits of either case; nil for an odd count or any other character.
    public static func decode(_ digits: some Collection<UInt8>) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(digits.count / 2)
        var rest = digits.makeIterator()
        while let high = rest.next(), let low = rest.next() {
            guard let byte = UInt8(hexadecimal: high, low) else { return nil }
            output.append(byte)
        }
        return output
    }
}

extension UInt8 {
    /// The value of an ASCII hexadecimal digit of either case; nil for any other character.
    public var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Creates a byte from two hexadecimal digits of either case; nil for any other character.
    public init?(hexadecimal high: UInt8, _ low: UInt8) {
        guard let high = high.hexadecimalValue, let low = low.hexadecimalValue else { return nil }
        self = high << 4 | low
    }
}

extension ArraySlice<UInt8> {
    /// Returns the byte of the escape, such as `%2F`, that begins at the index (RFC 3986, section 2.1); nil for any other
    /// text.
    public func percentEscape(at index: Int) -> UInt8? {
        guard endIndex - index > 2, self[index] == UInt8(ascii: "%") else { return nil }
        return UInt8(hexadecimal: self[index + 1], self[index + 2])
    }
}
