import Text

extension JSONReader {
    /// The byte at the current offset, or 0 at the end. No JSON token begins with 0.
    package var current: UInt8 { offset < text.count ? text.span[offset] : 0 }

    func failure(_ reason: SyntaxError.Reason) -> SyntaxError { SyntaxError(reason, at: offset) }

    mutating func skipSpace() {
        while ASCII.isWhitespace(current) { offset += 1 }
    }

    /// Skips the next byte if it is the given one, and returns whether it is.
    mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        offset += 1
        return true
    }

    mutating func expect(_ byte: UInt8, else reason: SyntaxError.Reason) throws(SyntaxError) {
        guard take(byte) else { throw failure(reason) }
    }

    /// Reads a string, a number or a literal.
    package mutating func scalar() throws(SyntaxError) -> JSONScalar {
        switch current {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        case UInt8(ascii: "t"): return try literal("true", .boolean(true))
        case UInt8(ascii: "f"): return try literal("false", .boolean(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: throw failure(.expectedValue)
        }
    }

    private mutating func literal(_ word: StaticString, _ value: JSONScalar) throws(SyntaxError) -> JSONScalar {
        guard text.span.extracting(offset...).starts(with: word) else { throw failure(.expectedValue) }
        offset += word.utf8CodeUnitCount
        return value
    }

    /// Reads a number and returns its text (RFC 8259 section 6).
    private mutating func number() throws(SyntaxError) -> ArraySlice<UInt8> {
        let start = offset
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
        return text[(text.startIndex + start)..<position]
    }

    private mutating func digits() throws(SyntaxError) {
        guard ASCII.isDigit(current) else { throw failure(.expectedDigit) }
        while ASCII.isDigit(current) { offset += 1 }
    }
}
