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

    /// The value of a number as a 64-bit integer, see `Int64.init(json:)`; nil for other values.
    package var integer: Int64? {
        if case .number(let text) = self { Int64(json: text[...]) } else { nil }
    }

    /// The value of a boolean, or nil for other values.
    package var boolean: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }
}

extension Int64 {
    /// Reads the text of a JSON number that is an integer. `900.0` and `9e2` are integers too (JSON Schema, "integer").
    ///
    /// - Returns: nil if the number is not an integer, or out of range.
    package init?(json text: ArraySlice<UInt8>) {
        if let plain = Int(canonicalDecimal: text.span) {
            self = Int64(plain)
            return
        }
        let isNegative = text.first == ASCII.hyphen
        let parts = text.split { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
        guard let mantissa = parts.first else { return nil }
        let integral = mantissa.prefix { $0 != ASCII.dot }
        let fraction = mantissa.dropFirst(integral.count + 1)
        var digits = (integral.drop { $0 == ASCII.hyphen } + fraction).drop { $0 == ASCII.zero }
        guard !digits.isEmpty else {
            self = 0
            return
        }
        let exponent = parts.dropFirst().first.map { $0.first == UInt8(ascii: "+") ? $0.dropFirst() : $0 }
        var scale = -fraction.count
        if let exponent {
            // A longer exponent moves the point beyond any number that fits.
            guard exponent.count <= 6, let power = Int(String(decoding: exponent, as: UTF8.self)) else { return nil }
            scale += power
        }
        while scale < 0, digits.last == ASCII.zero {
            digits.removeLast()
            scale += 1
        }
        guard scale >= 0, digits.count + scale <= 19 else { return nil }
        let whole = (isNegative ? [ASCII.hyphen] : []) + digits + Array(repeating: ASCII.zero, count: scale)
        guard let value = Int(canonicalDecimal: whole.span) else { return nil }
        self = Int64(value)
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
