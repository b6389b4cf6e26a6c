/// Yields the fields of an `application/x-www-form-urlencoded` body (WHATWG URL, section 5.1), read strictly.
///
/// Where browsers' parsers are lenient this one refuses: broken percent escapes, invalid UTF-8, a field without `=`,
/// empty fields, control characters, and a name that stands twice. `+` is a space.
package struct FormReader: FlatMemberReader {
    private let body: ArraySlice<UInt8>
    private var index: Int
    private var remaining: Int
    private var seen = SeenNames()
    /// The texts that had escapes, decoded, one after the other.
    private var decoded: [UInt8] = []

    /// - Parameters:
    ///   - body: the bytes as received
    ///   - maximumFields: how many fields there may be
    package init(_ body: ArraySlice<UInt8>, maximumFields: Int = 64) {
        self.body = body
        index = body.startIndex
        remaining = maximumFields
    }

    /// The next field; nil after the last one.
    package mutating func next() throws(SyntaxError) -> FlatMember? {
        guard index < body.endIndex else { return nil }
        let offset = index - body.startIndex
        guard remaining > 0 else { throw SyntaxError(offset, "too many fields") }
        remaining -= 1
        let field = body[index...].prefix { $0 != UInt8(ascii: "&") }
        guard let equals = field.firstIndex(of: UInt8(ascii: "=")) else {
            throw SyntaxError(offset, "a field must be name=value")
        }
        index = field.endIndex
        if index < body.endIndex {
            index += 1
            guard index < body.endIndex else { throw SyntaxError(offset, "the body ends with &") }
        }
        let name = try text(field[..<equals])
        guard !name.range.isEmpty else { throw SyntaxError(offset, "a field must have a name") }
        guard seen.insert(name, of: self) else { throw SyntaxError(offset, "a name stands twice") }
        let value = try text(field[(equals + 1)...])
        return FlatMember(name: name, value: .text(value), offset: offset)
    }

    /// Text without escapes is a part of the body.
    private mutating func text(_ text: ArraySlice<UInt8>) throws(SyntaxError) -> FlatText {
        let start = text.startIndex - body.startIndex
        let isPlain = text.allSatisfy { $0 != UInt8(ascii: "%") && $0 != UInt8(ascii: "+") && $0 >= 0x20 && $0 < 0x7F }
        if isPlain { return FlatText(range: start..<(start + text.count), isDecoded: false) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex {
            bytes.append(try decodedByte(at: &index, in: text))
        }
        do {
            _ = try UTF8Span(validating: bytes.span)
        } catch {
            throw SyntaxError(start, "invalid UTF-8")
        }
        decoded += bytes
        return FlatText(range: (decoded.count - bytes.count)..<decoded.count, isDecoded: true)
    }

    private func decodedByte(at index: inout Int, in text: ArraySlice<UInt8>) throws(SyntaxError) -> UInt8 {
        let offset = index - body.startIndex
        let byte = text[index]
        index += 1
        switch byte {
        case UInt8(ascii: "+"): return UInt8(ascii: " ")
        case UInt8(ascii: "%"):
            guard text.endIndex - index >= 2, let high = text[index].hexadecimalValue,
                let low = text[index + 1].hexadecimalValue
            else { throw SyntaxError(offset, "% must be followed by two hexadecimal digits") }
            index += 2
            return high << 4 | low
        case 0..<0x20, 0x7F: throw SyntaxError(offset, "a control character must be escaped")
        default: return byte
        }
    }
}

extension FormReader: FlatTextSource {
    /// Lends the bytes of a text that this reader has found.
    package func read<Result>(_ text: FlatText, _ body: (Span<UInt8>) -> Result) -> Result {
        text.isDecoded ? body(decoded.span.extracting(text.range)) : body(self.body.span.extracting(text.range))
    }

    func copy(_ text: FlatText) -> [UInt8] { bytes(of: text) }
}
