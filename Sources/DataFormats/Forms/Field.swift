import Text

/// A name and a value of a flat request: a member of a JSON object, a form field or a query parameter.
package struct Field: Equatable, Sendable {
    /// The decoded name, valid UTF-8.
    package let name: [UInt8]
    /// The value.
    package let value: FieldValue

    /// - Parameter name: the decoded name.
    package init(name: [UInt8], value: FieldValue) {
        self.name = name
        self.value = value
    }

    /// Creates a field from a member of a JSON object.
    package init(_ member: JSONValue.Member) {
        self.init(name: member.name, value: .json(member.value))
    }
}

/// The value of a field. JSON values have a type, while the text of a form field can be read as any type.
package enum FieldValue: Equatable, Sendable {
    case json(JSONValue)
    /// The decoded value of a form field or query parameter, valid UTF-8.
    case text([UInt8])

    /// The value of a JSON string, or the text of a form field.
    package var string: [UInt8]? {
        switch self {
        case .json(let value): value.string
        case .text(let text): text
        }
    }

    /// The value as a 64-bit integer, or nil if it has a fraction or an exponent or does not fit.
    package var integer: Int64? {
        switch self {
        case .json(let value): value.integer
        case .text(let text): Int(canonicalDecimal: text.span).map { Int64($0) }
        }
    }

    /// The value of a JSON boolean, or of a form field that is `true` or `false`.
    package var boolean: Bool? {
        switch self {
        case .json(let value): value.boolean
        case .text(let text):
            text.elementsEqual("true".utf8) ? true : text.elementsEqual("false".utf8) ? false : nil
        }
    }
}
