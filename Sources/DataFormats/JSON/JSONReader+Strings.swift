import Text

extension JSONReader {
    /// Reads and decodes a string (RFC 8259 section 7).
    mutating func string() throws(SyntaxError) -> ArraySlice<UInt8> {
        try expect(UInt8(ascii: "\""), else: .expectedString)
        var decoded = try plainCharacters()
        while !take(UInt8(ascii: "\"")) {
            decoded += try escapedCharacter()
            decoded += try plainCharacters()
        }
        return decoded
    }

    /// Skips a string and checks its syntax.
    mutating func skipString() throws(SyntaxError) {
        try expect(UInt8(ascii: "\""), else: .expectedString)
        _ = try plainCharacters()
        while !take(UInt8(ascii: "\"")) {
            _ = try escapedCharacter()
            _ = try plainCharacters()
        }
    }

    /// Reads the bytes up to the next quote or backslash.
    private mutating func plainCharacters() throws(SyntaxError) -> ArraySlice<UInt8> {
        let start = offset
        offset = text.span.positionOfJSONEscape(from: start)
        guard offset < text.count else { throw failure(.unterminatedString) }
        guard current >= 0x20 else { throw failure(.unescapedControlCharacter) }
        return text[(text.startIndex + start)..<position]
    }

    /// Reads an escape and returns its UTF-8.
    private mutating func escapedCharacter() throws(SyntaxError) -> [UInt8] {
        let start = offset
        offset += 1
        let character = current
        if offset < text.count { offset += 1 }
        switch character {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [character]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return Array(try escapedScalar(startingAt: start).utf8)
        default: throw SyntaxError(.unknownEscape, at: start)
        }
    }

    /// Reads one UTF-16 unit after `\u`, or two that form a surrogate pair.
    ///
    /// - Parameter start: the offset of the backslash.
    /// - Throws: `SyntaxError` for an unpaired surrogate, which UTF-8 cannot represent.
    private mutating func escapedScalar(startingAt start: Int) throws(SyntaxError) -> Unicode.Scalar {
        let first = try hexadecimalUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
            throw SyntaxError(.loneSurrogate, at: start)
        }
        let second = try hexadecimalUnit()
        guard 0xDC00...0xDFFF ~= second,
            let scalar = Unicode.Scalar(0x1_0000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw SyntaxError(.loneSurrogate, at: start) }
        return scalar
    }

    private mutating func hexadecimalUnit() throws(SyntaxError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = current.hexadecimalValue else { throw failure(.expectedHexadecimalDigits) }
            unit = unit << 4 | UInt32(digit)
            offset += 1
        }
        return unit
    }
}

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
