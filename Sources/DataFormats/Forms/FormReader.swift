import Text

/// A strict parser for `application/x-www-form-urlencoded` bodies and queries (WHATWG URL, section 5.1).
///
/// It decodes `+` as a space. Unlike browsers, it rejects invalid percent escapes, invalid UTF-8, fields without `=`,
/// empty fields, control characters, and duplicate names.
package struct FormReader {
    private let text: ArraySlice<UInt8>

    /// Returns all fields of a form in order.
    ///
    /// - Parameters:
    ///   - text: the complete form.
    ///   - maximum: the maximum number of fields.
    /// - Throws: `SyntaxError` with the offset.
    package static func fields(of text: ArraySlice<UInt8>, maximum: Int = 64) throws(SyntaxError) -> [Field] {
        let reader = FormReader(text: text)
        var fields: [Field] = []
        var start = text.startIndex
        while start < text.endIndex {
            guard fields.count < maximum else { throw reader.failure(.tooManyFields, start) }
            let end = text[start...].firstIndex(of: UInt8(ascii: "&")) ?? text.endIndex
            guard let equals = text[start..<end].firstIndex(of: UInt8(ascii: "=")) else {
                throw reader.failure(.expectedNameAndValue, start)
            }
            guard end + 1 != text.endIndex else { throw reader.failure(.trailingAmpersand, start) }
            let name = try reader.decoded(start..<equals)
            guard !name.isEmpty else { throw reader.failure(.emptyName, start) }
            guard !fields.contains(where: { $0.name == name }) else {
                throw reader.failure(.duplicateName(name), start)
            }
            fields.append(Field(name: name, value: try reader.decoded((equals + 1)..<end)))
            start = min(end + 1, text.endIndex)
        }
        return fields
    }

    private func failure(_ reason: SyntaxError.Reason, _ index: Int) -> SyntaxError {
        SyntaxError(reason, at: index - text.startIndex)
    }

    private func decoded(_ range: Range<Int>) throws(SyntaxError) -> [UInt8] {
        var bytes: [UInt8] = []
        var index = range.lowerBound
        while index < range.upperBound {
            switch text[index] {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let byte = text[..<range.upperBound].percentEscape(at: index) else {
                    throw failure(.invalidPercentEscape, index)
                }
                bytes.append(byte)
                index += 2
            case 0..<0x20, 0x7F: throw failure(.unescapedControlCharacter, index)
            default: bytes.append(text[index])
            }
            index += 1
        }
        guard (try? UTF8Span(validating: bytes.span)) != nil else { throw failure(.invalidUTF8, range.lowerBound) }
        return bytes
    }
}

/// A form field or query parameter. Name and value are decoded and valid UTF-8.
package struct Field: Equatable, Sendable {
    package let name: [UInt8]
    package let value: [UInt8]
}
