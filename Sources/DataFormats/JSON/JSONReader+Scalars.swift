import Text

extension JSONReader {
    /// The byte at the current position, or 0 at the end. No JSON token begins with 0.
    package var current: UInt8 { position < text.endIndex ? text[position] : 0 }

    /// The current position in bytes from the start of the text.
    var offset: Int { position - text.startIndex }

    func failure(_ reason: SyntaxError.Reason) -> SyntaxError { SyntaxError(reason, at: offset) }

    mutating func skipSpace() {
        while take(0x20) || take(0x0A) || take(0x0D) || take(0x09) {}
    }

    /// Skips the next byte if it is the given one, and returns whether it is.
    mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    mutating func expect(_ byte: UInt8, else reason: SyntaxError.Reason) throws(SyntaxError) {
        guard take(byte) else { throw failure(reason) }
    }

    /// Reads a string, a number or a literal.
    mutating func scalar() throws(SyntaxError) -> JSONValue {
        switch current {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        case UInt8(ascii: "t"): return try literal("true", .boolean(true))
        case UInt8(ascii: "f"): return try literal("false", .boolean(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: throw failure(.expectedValue)
        }
    }

    private mutating func literal(_ word: String, _ value: JSONValue) throws(SyntaxError) -> JSONValue {
        guard text[position...].starts(with: word.utf8) else { throw failure(.expectedValue) }
        position += word.utf8.count
        return value
    }

    /// Reads a number and returns its text (RFC 8259 section 6).
    private mutating func number() throws(SyntaxError) -> [UInt8] {
        let start = position
        _ = take(UInt8(ascii: "-"))
        if take(UInt8(ascii: "0")) {
            if ASCII.isDigit(current) { throw failure(.leadingZero) }
        } else {
            try digits()
        }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        return Array(text[start..<position])
    }

    private mutating func digits() throws(SyntaxError) {
        guard ASCII.isDigit(current) else { throw failure(.expectedDigit) }
        while ASCII.isDigit(current) { position += 1 }
    }
}
