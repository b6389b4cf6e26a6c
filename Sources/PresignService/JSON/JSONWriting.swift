extension [UInt8] {
    /// Appends a JSON string (RFC 8259 section 7) with its quotes.
    ///
    /// Quotes, backslashes, control characters, and the line separators U+2028 and U+2029 are escaped, so that the text
    /// is one line wherever it is read. Bytes that are not UTF-8 become U+FFFD: what is written is always valid.
    package mutating func appendJSON(string bytes: [UInt8]) {
        if Self.isPlain(bytes.span) { appendQuoted(bytes) } else { appendJSONString(bytes) }
    }

    /// Appends a JSON string, see `appendJSON(string:)` for arrays.
    package mutating func appendJSON(string bytes: ArraySlice<UInt8>) {
        if Self.isPlain(bytes.span) { appendQuoted(bytes) } else { appendJSONString(bytes) }
    }

    /// Appends a JSON string, see `appendJSON(string:)` for arrays.
    package mutating func appendJSON(string text: String) {
        appendJSON(string: Array(text.utf8))
    }

    /// Appends a JSON string; for this module only, where the compiler specializes it.
    mutating func appendJSON(string bytes: some Collection<UInt8>) {
        appendJSON(string: Array(bytes))
    }

    /// Appends a whole number.
    package mutating func appendJSON(_ integer: Int64) {
        if integer < 0 { append(UInt8(ascii: "-")) }
        append(decimal: integer.magnitude)
    }

    private mutating func append(decimal number: UInt64) {
        if number >= 10 { append(decimal: number / 10) }
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }

    /// Appends `true` or `false`.
    package mutating func appendJSON(_ boolean: Bool) {
        append(contentsOf: (boolean ? "true" : "false").utf8)
    }

    /// Appends a whole value. Numbers are written as they were read.
    package mutating func appendJSON(_ value: JSONValue) {
        switch value {
        case .object(let members):
            append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { append(UInt8(ascii: ",")) }
                appendJSON(string: member.name)
                append(UInt8(ascii: ":"))
                appendJSON(member.value)
            }
            append(UInt8(ascii: "}"))
        case .array(let items):
            append(UInt8(ascii: "["))
            for (index, item) in items.enumerated() {
                if index > 0 { append(UInt8(ascii: ",")) }
                appendJSON(item)
            }
            append(UInt8(ascii: "]"))
        case .string(let bytes): appendJSON(string: bytes)
        case .number(let text): append(contentsOf: text)
        case .boolean(let value): appendJSON(value)
        case .null: append(contentsOf: "null".utf8)
        }
    }

    private mutating func appendJSONString(_ bytes: some Collection<UInt8>) {
        append(UInt8(ascii: "\""))
        if bytes.allSatisfy({ $0 < 0x80 }) {
            for byte in bytes { appendJSONCharacter(byte) }
        } else {
            for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
                switch scalar.value {
                case 0..<0x80: appendJSONCharacter(UInt8(truncatingIfNeeded: scalar.value))
                case 0x2028: append(contentsOf: #"\u2028"#.utf8)
                case 0x2029: append(contentsOf: #"\u2029"#.utf8)
                default: append(contentsOf: scalar.utf8)
                }
            }
        }
        append(UInt8(ascii: "\""))
    }

    /// Appends a text that is known to need no escape, with its quotes: visible ASCII without `"` and `\`.
    private mutating func appendQuoted(_ bytes: some Collection<UInt8>) {
        append(UInt8(ascii: "\""))
        append(contentsOf: bytes)
        append(UInt8(ascii: "\""))
    }

    /// Whether all of it is ASCII that stands for itself in a string.
    private static func isPlain(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices {
            let byte = bytes[index]
            if byte &- 0x20 > 0x5E || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return false }
        }
        return true
    }

    private mutating func appendJSONCharacter(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            append(UInt8(ascii: "\\"))
            append(byte)
        case 0x0A: append(contentsOf: #"\n"#.utf8)
        case 0x0D: append(contentsOf: #"\r"#.utf8)
        case 0x09: append(contentsOf: #"\t"#.utf8)
        case 0..<0x20, 0x7F:
            append(contentsOf: #"\u00"#.utf8)
            append(Self.hexadecimalDigit(byte >> 4))
            append(Self.hexadecimalDigit(byte & 15))
        default: append(byte)
        }
    }

    private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
