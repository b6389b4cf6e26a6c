package import Text

extension ByteBuffer {
    /// Appends a JSON string, see `appendJSON(string:)` for a span.
    package mutating func appendJSON(string bytes: [UInt8]) {
        appendJSON(string: bytes.span)
    }

    /// Appends a JSON string, see `appendJSON(string:)` for a span.
    package mutating func appendJSON(string text: String) {
        appendJSON(string: text.utf8.span)
    }

    /// Appends `true` or `false`.
    package mutating func appendJSON(_ boolean: Bool) {
        append(boolean ? "true" : "false")
    }

    /// Appends a value. Numbers keep their original text.
    package mutating func appendJSON(_ value: JSONValue) {
        switch value {
        case .object(let members):
            appendObject { for member in members { $0.member(named: member.name.span, member.value) } }
        case .array(let items):
            append(UInt8(ascii: "["))
            for (index, item) in items.enumerated() {
                if index > 0 { append(UInt8(ascii: ",")) }
                appendJSON(item)
            }
            append(UInt8(ascii: "]"))
        case .string(let bytes): appendJSON(string: bytes)
        case .number(let text): append(text)
        case .boolean(let value): appendJSON(value)
        case .null: append("null")
        }
    }
}

extension ByteBuffer {
    /// Appends a JSON string (RFC 8259 section 7) with its quotes.
    ///
    /// Besides quotes and backslashes, it escapes all characters that control lines, terminals or text direction. The
    /// string thus stays on one line and cannot be displayed as something else. Invalid UTF-8 becomes U+FFFD.
    package mutating func appendJSON(string bytes: Span<UInt8>) {
        guard bytes.isPlainJSON else { return appendJSON(escaping: bytes) }
        append(ASCII.quote)
        append(bytes)
        append(ASCII.quote)
    }

    /// Appends a JSON string with its quotes that may contain characters to escape.
    mutating func appendJSON(escaping bytes: Span<UInt8>) {
        append(ASCII.quote)
        for scalar in String(decoding: [UInt8](copying: bytes), as: UTF8.self).unicodeScalars {
            append(jsonScalar: scalar)
        }
        append(ASCII.quote)
    }

    private mutating func append(jsonScalar scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0..<0x80: append(jsonCharacter: UInt8(truncatingIfNeeded: scalar.value))
        case _ where scalar.isInvisibleControl:
            append(#"\u"#)
            append(hexadecimal: [UInt8(scalar.value >> 8), UInt8(scalar.value & 0xFF)].span)
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
            append(hexadecimal: [byte].span)
        default: append(byte)
        }
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a C1 control, a line or paragraph separator, or a directional formatting character (UAX #9
    /// section 2). All of them are below U+10000.
    package var isInvisibleControl: Bool {
        switch value {
        case 0x80..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
