import Text

/// Yields the fields of an `application/x-www-form-urlencoded` body (WHATWG URL, section 5.1), read strictly.
///
/// Where browsers' parsers are lenient this one refuses: broken percent escapes, invalid UTF-8, a field without `=`,
/// empty fields, control characters, and a name that stands twice. `+` is a space.
package struct FormReader: ~Copyable, FlatMemberReader {
    /// Bytes from the start of the body.
    private var offset = 0
    private var remaining: Int
    /// The texts that had escapes, decoded, one after the other.
    private var decoded: [UInt8] = []

    /// - Parameter maximumFields: how many fields there may be
    package init(maximumFields: Int = 64) {
        remaining = maximumFields
    }

    /// The next field; nil after the last one.
    package mutating func next(
        in body: Span<UInt8>, _ seen: inout SeenNames
    ) throws(SyntaxError) -> FlatMember? {
        guard offset < body.count else { return nil }
        let start = offset
        guard remaining > 0 else { throw SyntaxError(start, "too many fields") }
        remaining -= 1
        let end = body.position(of: UInt8(ascii: "&"), from: start)
        let equals = body.position(of: UInt8(ascii: "="), from: start)
        guard equals < end else { throw SyntaxError(start, "a field must be name=value") }
        offset = end
        if end < body.count {
            offset += 1
            guard offset < body.count else { throw SyntaxError(start, "the body ends with &") }
        }
        let name = try text(start..<equals, of: body)
        guard name.count > 0 else { throw SyntaxError(start, "a field must have a name") }
        guard seen.insert(name, body, decoded) else { throw SyntaxError(start, "a name stands twice") }
        return FlatMember(name: name, value: .text(try text((equals + 1)..<end, of: body)))
    }

    /// Lends the bytes of a text that this reader has found.
    package func read<Result>(
        _ found: FlatText, in text: Span<UInt8>, _ body: (Span<UInt8>) -> Result
    ) -> Result {
        found.read(text, decoded, body)
    }

    /// Text without escapes is a part of the body.
    private mutating func text(_ range: Range<Int>, of body: Span<UInt8>) throws(SyntaxError) -> FlatText {
        if Self.isPlain(body.extracting(range)) { return FlatText(range, isDecoded: false) }
        let start = decoded.count
        var index = range.lowerBound
        while index < range.upperBound {
            decoded.append(try Self.decodedByte(at: &index, in: body.extracting(..<range.upperBound)))
        }
        do {
            _ = try UTF8Span(validating: decoded.span.extracting(start...))
        } catch {
            throw SyntaxError(range.lowerBound, "invalid UTF-8")
        }
        return FlatText(start..<decoded.count, isDecoded: true)
    }

    private static func isPlain(_ text: Span<UInt8>) -> Bool {
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "%"), UInt8(ascii: "+"), 0..<0x20, 0x7F...: return false
            default: break
            }
        }
        return true
    }

    private static func decodedByte(at index: inout Int, in text: Span<UInt8>) throws(SyntaxError) -> UInt8 {
        let start = index
        index += 1
        switch text[start] {
        case UInt8(ascii: "+"): return UInt8(ascii: " ")
        case UInt8(ascii: "%"):
            guard text.count - index >= 2, let high = text[index].hexadecimalValue,
                let low = text[index + 1].hexadecimalValue
            else { throw SyntaxError(start, "% must be followed by two hexadecimal digits") }
            index += 2
            return high << 4 | low
        case 0..<0x20, 0x7F: throw SyntaxError(start, "a control character must be escaped")
        default: return text[start]
        }
    }
}
