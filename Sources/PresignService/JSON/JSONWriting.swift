extension [UInt8] {
    /// Appends a JSON string (RFC 8259 section 7) with its quotes.
    ///
    /// Quotes, backslashes, control characters, and the line separators U+2028 and U+2029 are escaped, so that the text
    /// is one line wherever it is read. Bytes that are not UTF-8 become U+FFFD: what is written is always valid.
    package mutating func appendJSON(string bytes: [UInt8]) {
        appendJSONString(bytes)
    }

    /// Appends a JSON string, see `appendJSON(string:)` for arrays.
    package mutating func appendJSON(string bytes: ArraySlice<UInt8>) {
        appendJSONString(bytes)
    }

    /// Appends a JSON string, see `appendJSON(string:)` for arrays.
    package mutating func appendJSON(string text: String) {
        appendJSONString(text.utf8)
    }

    /// Appends a JSON string; for this module only, where the compiler specializes it.
    mutating func appendJSON(string bytes: some Collection<UInt8>) {
        appendJSONString(bytes)
    }

    /// Appends a whole number.
    package mutating func appendJSON(_ integer: Int64) {
        if integer < 0 { append(UInt8(ascii: "-")) }
        let start = count
        var rest = integer.magnitude
        repeat {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        self[start...].reverse()
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
        if bytes.allSatisfy(Self.isPlain) {
            append(contentsOf: bytes)
        } else if bytes.allSatisfy({ $0 < 0x80 }) {
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

    /// ASCII that stands for itself in a string.
    private static func isPlain(_ byte: UInt8) -> Bool {
        0x20..<0x7F ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
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
