import Text

extension JSONCursor {
    /// A string (RFC 8259 section 7), decoded. Without escapes, as nearly all are, it is a part of the text.
    package mutating func string(_ text: Span<UInt8>) throws(SyntaxError) -> FlatText {
        try expect(UInt8(ascii: "\""), text, else: "a string is expected")
        let start = offset
        try skipPlainCharacters(text)
        if take(UInt8(ascii: "\""), text) { return FlatText(start..<(offset - 1), isDecoded: false) }
        return try escapedString(text, from: start)
    }

    /// - Parameter start: where the string's characters begin; those before the first escape were stepped over.
    private mutating func escapedString(_ text: Span<UInt8>, from start: Int) throws(SyntaxError) -> FlatText {
        let decodedStart = decoded.count
        decoded.append(text.extracting(start..<offset))
        while !take(UInt8(ascii: "\""), text) {
            try escape(text)
            let start = offset
            try skipPlainCharacters(text)
            decoded.append(text.extracting(start..<offset))
        }
        return FlatText(decodedStart..<decoded.count, isDecoded: true)
    }

    /// Stops at a quote or a backslash.
    @inline(__always)
    private mutating func skipPlainCharacters(_ text: Span<UInt8>) throws(SyntaxError) {
        offset = JSONScanning.special(in: text, from: offset)
        if offset == text.count { throw failure("a string does not end") }
        if text[offset] < 0x20 { throw failure("a control character in a string must be escaped") }
    }

    private mutating func escape(_ text: Span<UInt8>) throws(SyntaxError) {
        let start = offset
        offset += 1
        let byte = current(text)
        if offset < text.count { offset += 1 }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(byte)
        case UInt8(ascii: "b"): decoded.append(0x08)
        case UInt8(ascii: "f"): decoded.append(0x0C)
        case UInt8(ascii: "n"): decoded.append(0x0A)
        case UInt8(ascii: "r"): decoded.append(0x0D)
        case UInt8(ascii: "t"): decoded.append(0x09)
        case UInt8(ascii: "u"): decoded += try escapedScalar(text, from: start).utf8
        default: throw SyntaxError(start, "unknown escape in a string")
        }
    }

    /// What follows `\u`: one unit, or two that are a surrogate pair. A lone surrogate has no UTF-8 and is refused.
    private mutating func escapedScalar(
        _ text: Span<UInt8>, from start: Int
    ) throws(SyntaxError) -> Unicode.Scalar {
        let first = try hexadecimalUnit(text)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, take(UInt8(ascii: "\\"), text), take(UInt8(ascii: "u"), text) else {
            throw SyntaxError(start, "a lone surrogate in a string")
        }
        let second = try hexadecimalUnit(text)
        guard 0xDC00...0xDFFF ~= second,
            let scalar = Unicode.Scalar(0x1_0000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw SyntaxError(start, "a lone surrogate in a string") }
        return scalar
    }

    private mutating func hexadecimalUnit(_ text: Span<UInt8>) throws(SyntaxError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = current(text).hexadecimalValue else {
                throw failure("four hexadecimal digits are expected")
            }
            unit = unit << 4 | UInt32(digit)
            offset += 1
        }
        return unit
    }
}
