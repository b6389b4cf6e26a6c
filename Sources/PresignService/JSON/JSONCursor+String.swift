extension JSONCursor {
    /// A string (RFC 8259 section 7), decoded. Without escapes it is a part of the text.
    mutating func string() throws(SyntaxError) -> FlatText {
        try expect(UInt8(ascii: "\""), else: "a string is expected")
        let start = index
        try skipPlainCharacters()
        if take(UInt8(ascii: "\"")) {
            return FlatText(range: (start - bytes.startIndex)..<(offset - 1), isDecoded: false)
        }
        let decodedStart = decoded.count
        decoded += bytes[start..<index]
        while !take(UInt8(ascii: "\"")) {
            try escape()
            let start = index
            try skipPlainCharacters()
            decoded += bytes[start..<index]
        }
        return FlatText(range: decodedStart..<decoded.count, isDecoded: true)
    }

    /// Stops at a quote or a backslash.
    private mutating func skipPlainCharacters() throws(SyntaxError) {
        index = bytes.startIndex + JSONScanning.special(in: bytes.span, from: offset)
        if isAtEnd { throw failure("a string does not end") }
        if current < 0x20 { throw failure("a control character in a string must be escaped") }
    }

    private mutating func escape() throws(SyntaxError) {
        let start = offset
        index += 1
        let byte = current
        if !isAtEnd { index += 1 }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(byte)
        case UInt8(ascii: "b"): decoded.append(0x08)
        case UInt8(ascii: "f"): decoded.append(0x0C)
        case UInt8(ascii: "n"): decoded.append(0x0A)
        case UInt8(ascii: "r"): decoded.append(0x0D)
        case UInt8(ascii: "t"): decoded.append(0x09)
        case UInt8(ascii: "u"): decoded += try escapedScalar(from: start).utf8
        default: throw SyntaxError(start, "unknown escape in a string")
        }
    }

    /// What follows `\u`: one unit, or two that are a surrogate pair. A lone surrogate has no UTF-8 and is refused.
    private mutating func escapedScalar(from start: Int) throws(SyntaxError) -> Unicode.Scalar {
        let first = try hexadecimalUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
            throw SyntaxError(start, "a lone surrogate in a string")
        }
        let second = try hexadecimalUnit()
        guard 0xDC00...0xDFFF ~= second,
            let scalar = Unicode.Scalar(0x1_0000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw SyntaxError(start, "a lone surrogate in a string") }
        return scalar
    }

    private mutating func hexadecimalUnit() throws(SyntaxError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = current.hexadecimalValue else { throw failure("four hexadecimal digits are expected") }
            unit = unit << 4 | UInt32(digit)
            index += 1
        }
        return unit
    }
}

extension UInt8 {
    /// The value of an ASCII hexadecimal digit, either case.
    var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
