import Text

/// One named value of a flat request: a member of a JSON object, a form field or a query parameter.
package struct Field: Equatable, Sendable {
    /// The decoded name, valid UTF-8.
    package let name: [UInt8]
    /// The value.
    package let value: FieldValue

    /// - Parameter name: decoded bytes
    package init(name: [UInt8], value: FieldValue) {
        self.name = name
        self.value = value
    }

    /// A member of a JSON object.
    package init(_ member: JSONValue.Member) {
        self.init(name: member.name, value: .json(member.value))
    }
}

/// The value of a field. JSON has types; the type of a form field is the one its reader expects.
package enum FieldValue: Equatable, Sendable {
    case json(JSONValue)
    /// The decoded value of a form field or query parameter, valid UTF-8.
    case text([UInt8])

    /// A JSON string, or the text of a form field.
    package var string: [UInt8]? {
        switch self {
        case .json(let value): value.string
        case .text(let text): text
        }
    }

    /// A whole number that fits into 64 bits: a JSON number without fraction and exponent, or a form field written so.
    package var integer: Int64? {
        switch self {
        case .json(let value): value.integer
        case .text(let text): Int(canonicalDecimal: text.span).map { Int64($0) }
        }
    }

    /// A JSON boolean, or a form field `true` or `false`.
    package var boolean: Bool? {
        switch self {
        case .json(let value): value.boolean
        case .text(let text):
            text.elementsEqual("true".utf8) ? true : text.elementsEqual("false".utf8) ? false : nil
        }
    }
}
