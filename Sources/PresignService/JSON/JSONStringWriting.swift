import Bytes

extension OutputSpan<UInt8> {
    /// The most bytes a JSON string of so many bytes takes: every one of them escaped, and the quotes.
    static func jsonRoom(_ count: Int) -> Int { 6 * count + 2 }

    /// Appends a JSON string (RFC 8259 section 7) with its quotes, at most `jsonRoom` bytes.
    ///
    /// Quotes, backslashes, control characters, and the line separators U+2028 and U+2029 are escaped, so that the text
    /// is one line wherever it is read. Bytes that are not UTF-8 become U+FFFD: what is written is always valid.
    mutating func append(json bytes: Span<UInt8>) {
        append(UInt8(ascii: "\""))
        if JSONScanning.isPlain(bytes) {
            append(bytes)
        } else {
            var copy: [UInt8] = []
            copy.append(bytes)
            for scalar in String(decoding: copy, as: UTF8.self).unicodeScalars { append(jsonScalar: scalar) }
        }
        append(UInt8(ascii: "\""))
    }

    /// Appends a JSON string, see the other `append(json:)`.
    mutating func append(json bytes: [UInt8]) { append(json: bytes.span) }

    private mutating func append(jsonScalar scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0..<0x80: append(jsonCharacter: UInt8(truncatingIfNeeded: scalar.value))
        case 0x2028: append(#"\u2028"#)
        case 0x2029: append(#"\u2029"#)
        default: for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { append(byte) }
        }
    }

    private mutating func append(jsonCharacter byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            append(UInt8(ascii: "\\"))
            append(byte)
        case 0x0A: append(#"\n"#)
        case 0x0D: append(#"\r"#)
        case 0x09: append(#"\t"#)
        case 0..<0x20, 0x7F:
            append(#"\u00"#)
            append(hexadecimal: CollectionOfOne(byte).span)
        default: append(byte)
        }
    }
}
