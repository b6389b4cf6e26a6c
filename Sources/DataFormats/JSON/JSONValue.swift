import Text

/// A JSON value (RFC 8259). Strings are decoded bytes, valid UTF-8; compare them as bytes.
package enum JSONValue: Equatable, Sendable {
    /// The members in the order of the text, without duplicate names.
    case object([Member])
    case array([JSONValue])
    case string([UInt8])
    /// A number as written; nothing is rounded.
    case number([UInt8])
    case boolean(Bool)
    case null

    /// A named value of an object.
    package struct Member: Equatable, Sendable {
        /// The decoded name.
        package let name: [UInt8]
        /// The value.
        package let value: JSONValue

        /// - Parameters:
        ///   - name: decoded bytes
        ///   - value: the value
        package init(name: [UInt8], value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// Reads one JSON text strictly, see `JSONReader`.
    ///
    /// - Throws: `SyntaxError` with the offset; its text never repeats what was read.
    package init(parsing text: ArraySlice<UInt8>, limits: JSONLimits = JSONLimits()) throws(SyntaxError) {
        var reader = try JSONReader(text, limits: limits)
        self = try reader.value()
        try reader.end()
    }

    /// Reads one JSON text strictly, see `JSONReader`.
    package init(parsing text: [UInt8], limits: JSONLimits = JSONLimits()) throws(SyntaxError) {
        try self.init(parsing: text[...], limits: limits)
    }

    /// The value of a member; nil if this is not an object or has no such member.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name.elementsEqual(name.utf8) }?.value
    }

    /// The decoded bytes of a string.
    package var string: [UInt8]? {
        if case .string(let bytes) = self { bytes } else { nil }
    }

    /// A number without fraction and exponent that fits into 64 bits; nil for every other value.
    package var integer: Int64? {
        if case .number(let text) = self { Int(canonicalDecimal: text.span).map { Int64($0) } } else { nil }
    }

    /// A boolean's value.
    package var boolean: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }
}
