/// One named value of a flat request body, whichever syntax it came in.
package struct FlatMember {
    /// The decoded name, valid UTF-8.
    package let name: ArraySlice<UInt8>
    /// The value.
    package let value: FlatValue
    /// Where the member starts, bytes from the start of the body.
    package let offset: Int
}

/// The value of a flat member. Texts are decoded, valid UTF-8, and share the body's storage where nothing was escaped.
package enum FlatValue: Equatable {
    /// A JSON string.
    case string(ArraySlice<UInt8>)
    /// A JSON number as written.
    case number(ArraySlice<UInt8>)
    /// A JSON boolean.
    case boolean(Bool)
    /// JSON's null.
    case null
    /// A JSON object or array; well-formed, but not kept.
    case compound
    /// A form field, whose type is what its reader makes of it.
    case text(ArraySlice<UInt8>)

    /// The value as text: a JSON string or a form field.
    package var string: ArraySlice<UInt8>? {
        switch self {
        case .string(let bytes), .text(let bytes): bytes
        default: nil
        }
    }

    /// The value as a whole number: a JSON number without fraction and exponent, or a form field written so.
    package var integer: Int64? {
        switch self {
        case .number(let bytes), .text(let bytes): Int64(canonicalDecimal: bytes)
        default: nil
        }
    }

    /// The value as a boolean: JSON's, or a form field `true` or `false`.
    package var boolean: Bool? {
        switch self {
        case .boolean(let value): value
        case .text(let bytes) where bytes.elementsEqual("true".utf8): true
        case .text(let bytes) where bytes.elementsEqual("false".utf8): false
        default: nil
        }
    }
}

/// Yields the members of a flat body one by one, so that one table of fields decodes every syntax.
package protocol FlatMemberReader {
    /// The next member; nil after the last one, when the whole body has been found well-formed.
    ///
    /// - Throws: `SyntaxError`; the reader is spent then.
    mutating func next() throws(SyntaxError) -> FlatMember?
}

extension Int64 {
    /// A decimal number with an optional `-`, no `+`, no leading zeros, no fraction and no exponent; exact, or nil.
    package init?(canonicalDecimal text: ArraySlice<UInt8>) {
        let isNegative = text.first == UInt8(ascii: "-")
        let digits = isNegative ? text.dropFirst() : text
        guard let first = digits.first, first != UInt8(ascii: "0") || digits.count == 1 else { return nil }
        var value: Int64 = 0
        for byte in digits {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
            // Built downwards: the negative range is the longer one.
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (next, underflow) = product.subtractingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
            guard !overflow, !underflow else { return nil }
            value = next
        }
        guard isNegative || value != .min else { return nil }
        self = isNegative ? value : -value
    }
}
