/// The subset of DER (ITU-T X.690) needed to write public keys and signatures.
enum DER {
    static let sequence: UInt8 = 0x30
    static let integer: UInt8 = 0x02
    static let bitString: UInt8 = 0x03

    /// Returns an element: the tag, the length in its shortest form, and the content.
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        var element = [tag]
        if content.count < 0x80 {
            element.append(UInt8(content.count))
        } else {
            let digits = bigEndian(content.count)
            element.append(0x80 | UInt8(digits.count))
            element += digits
        }
        return element + content
    }

    /// Returns a non-negative INTEGER from its big-endian bytes. Leading zeros are dropped.
    static func unsigned(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let digits = bytes.drop { $0 == 0 }
        // A set high bit would make the number negative.
        let sign: [UInt8] = (digits.first ?? 0x80) & 0x80 == 0 ? [] : [0]
        return element(integer, sign + digits)
    }

    /// Whether the bytes are exactly one element: none are missing, and none follow it.
    static func isOneElement(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 2 else { return false }
        guard bytes[1] >= 0x80 else { return bytes.count == 2 + Int(bytes[1]) }
        let digits = Int(bytes[1] & 0x7F)
        guard 1...4 ~= digits, bytes.count >= 2 + digits else { return false }
        return bytes.count == 2 + digits + bytes[2..<2 + digits].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        var (digits, rest): ([UInt8], Int) = ([], number)
        while rest > 0 {
            digits.insert(UInt8(rest & 0xFF), at: 0)
            rest >>= 8
        }
        return digits
    }
}
