import Text

/// A JSON value (RFC 8259). Strings are decoded and valid UTF-8. Compare them as bytes.
package enum JSONValue: Equatable, Sendable {
    /// The members in the order of the text, without duplicate names.
    case object([Member])
    case array([JSONValue])
    case string([UInt8])
    /// The text of a number, so that it is never rounded.
    case number([UInt8])
    case boolean(Bool)
    case null

    /// A member of an object.
    package struct Member: Equatable, Sendable {
        /// The decoded name.
        package let name: [UInt8]
        /// The value.
        package let value: JSONValue

        /// - Parameter name: the decoded name.
        package init(name: [UInt8], value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// Creates a value with its own copy of the bytes.
    package init(_ scalar: JSONScalar) {
        switch scalar {
        case .string(let bytes): self = .string(Array(bytes))
        case .number(let text): self = .number(Array(text))
        case .boolean(let value): self = .boolean(value)
        case .null: self = .null
        }
    }

    /// Parses a JSON text strictly, see `JSONReader`.
    ///
    /// - Throws: `SyntaxError` with the offset. Its description never quotes the text.
    package init(parsing text: ArraySlice<UInt8>, limits: JSONLimits = JSONLimits()) throws(SyntaxError) {
        var reader = try JSONReader(text, limits: limits)
        self = try reader.value()
        try reader.end()
    }

    /// Parses a JSON text strictly, see `JSONReader`.
    package init(parsing text: [UInt8], limits: JSONLimits = JSONLimits()) throws(SyntaxError) {
        try self.init(parsing: text[...], limits: limits)
    }

    /// Returns the value of a member, or nil if this is not an object or has no such member.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name.elementsEqual(name.utf8) }?.value
    }

    /// The decoded bytes of a string, or nil for other values.
    package var string: [UInt8]? {
        if case .string(let bytes) = self { bytes } else { nil }
    }

    /// The value of a number as a 64-bit integer, or nil if it has a fraction or an exponent or does not fit.
    package var integer: Int64? {
        if case .number(let text) = self { Int(canonicalDecimal: text.span).map { Int64($0) } } else { nil }
    }

    /// The value of a boolean, or nil for other values.
    package var boolean: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }
}

/// A JSON value other than an object or an array. Its bytes are a slice of the text unless an escape had to be decoded.
package enum JSONScalar: Equatable, Sendable {
    /// The decoded string, valid UTF-8.
    case string(ArraySlice<UInt8>)
    /// The text of a number, so that it is never rounded.
    case number(ArraySlice<UInt8>)
    case boolean(Bool)
    case null
}

/// The limits for a JSON text.
package struct JSONLimits: Sendable {
    /// The maximum size of the text in bytes.
    package var size: Int
    /// The maximum nesting depth of objects and arrays. 1 allows one object of scalar values.
    package var depth: Int

    /// Creates limits, by default 16 KiB and a depth of 8.
    package init(size: Int = 16 * 1024, depth: Int = 8) {
        self.size = size
        self.depth = depth
    }
}
