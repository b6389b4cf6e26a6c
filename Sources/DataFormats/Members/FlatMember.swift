import Text

/// One named value of a flat request body, whichever syntax it came in. Its texts stand in the reader that found it.
package struct FlatMember {
    /// The decoded name, valid UTF-8.
    package let name: FlatText
    /// The value.
    package let value: FlatValue
}

/// A decoded text: a part of the body where nothing was escaped, else of what the reader has decoded.
package struct FlatText: Equatable, Sendable {
    private let start: UInt32
    /// Twice the count, and one more if it was decoded: so that a text is one word to pass on.
    private let extent: UInt32

    /// - Parameter range: bytes from the start of the one or the other. Bodies are far smaller than 2 GiB.
    package init(_ range: Range<Int>, isDecoded: Bool) {
        precondition(range.lowerBound >= 0 && range.upperBound <= Int(Int32.max), "no place in a body")
        start = UInt32(truncatingIfNeeded: range.lowerBound)
        extent = UInt32(truncatingIfNeeded: range.count) &<< 1 | (isDecoded ? 1 : 0)
    }

    /// Bytes.
    package var count: Int { Int(extent / 2) }
    private var isDecoded: Bool { extent % 2 == 1 }
    private var range: Range<Int> { Int(start)..<(Int(start) + count) }

    /// Lends its bytes.
    ///
    /// - Parameters:
    ///   - text: the whole body.
    ///   - decoded: what the reader has decoded of it.
    @inline(__always)
    package func read<Result>(_ text: Span<UInt8>, _ decoded: [UInt8], _ body: (Span<UInt8>) -> Result) -> Result {
        body(isDecoded ? decoded.span.extracting(range) : text.extracting(range))
    }

    /// Its bytes, copied; see `read`.
    package func copy(_ text: Span<UInt8>, _ decoded: [UInt8]) -> [UInt8] {
        read(text, decoded) { [UInt8](copying: $0) }
    }
}

/// The value of a flat member. Texts are valid UTF-8.
package enum FlatValue: Equatable, Sendable {
    /// A JSON string.
    case string(FlatText)
    /// A JSON number as written.
    case number(FlatText)
    /// A JSON boolean.
    case boolean(Bool)
    /// JSON's null.
    case null
    /// A JSON object or array; well-formed, but not kept.
    case compound
    /// A form field, whose type is what its reader makes of it.
    case text(FlatText)

    /// The value as text: a JSON string or a form field.
    package var string: FlatText? {
        switch self {
        case .string(let text), .text(let text): text
        default: nil
        }
    }
}

/// Yields the members of a flat body one by one, so that one table of fields decodes every syntax.
///
/// A reader holds nothing of the body, which is lent to each call: always the whole of it, and the same.
package protocol FlatMemberReader: ~Copyable {
    /// The next member; nil after the last one, when the whole body has been found well-formed.
    ///
    /// - Parameter seen: the names before it, none at first. They are no part of the reader, which would be too large to
    ///   be lent for nothing.
    /// - Throws: `SyntaxError`; the reader is spent then.
    mutating func next(in text: Span<UInt8>, _ seen: inout SeenNames) throws(SyntaxError) -> FlatMember?

    /// Lends the bytes of a text that this reader has found.
    func read<Result>(_ found: FlatText, in text: Span<UInt8>, _ body: (Span<UInt8>) -> Result) -> Result
}

extension FlatMemberReader where Self: ~Copyable {
    /// The bytes of a text, copied.
    package func bytes(of found: FlatText, in text: Span<UInt8>) -> [UInt8] {
        read(found, in: text) { [UInt8](copying: $0) }
    }

    /// The value as a whole number: a JSON number without fraction and exponent, or a form field written so.
    package func integer(_ value: FlatValue, in text: Span<UInt8>) -> Int64? {
        switch value {
        case .number(let found), .text(let found): read(found, in: text) { Int64(canonicalDecimal: $0) }
        default: nil
        }
    }

    /// The value as a boolean: JSON's, or a form field `true` or `false`.
    package func boolean(_ value: FlatValue, in text: Span<UInt8>) -> Bool? {
        switch value {
        case .boolean(let value): value
        case .text(let found):
            read(found, in: text) { $0.equals("true") ? true : $0.equals("false") ? false : nil }
        default: nil
        }
    }
}

extension Int64 {
    /// A decimal number with an optional `-`, no `+`, no leading zeros, no fraction and no exponent; exact, or nil.
    package init?(canonicalDecimal text: Span<UInt8>) {
        let isNegative = text.starts(with: "-")
        let digits = isNegative ? text.extracting(1...) : text
        guard !digits.isEmpty, digits[0] != UInt8(ascii: "0") || digits.count == 1 else { return nil }
        var value: Int64 = 0
        for index in digits.indices {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digits[index] else { return nil }
            // Built downwards: the negative range is the longer one.
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (next, underflow) = product.subtractingReportingOverflow(Int64(digits[index] - UInt8(ascii: "0")))
            guard !overflow, !underflow else { return nil }
            value = next
        }
        guard isNegative || value != .min else { return nil }
        self = isNegative ? value : -value
    }
}
