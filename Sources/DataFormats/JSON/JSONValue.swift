/// A JSON value (RFC 8259). Strings are decoded bytes, valid UTF-8; compare them as bytes.
package enum JSONValue: Equatable, Sendable {
    /// The members in the order of the text; no name stands twice.
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

    /// Reads one JSON text strictly: what parsers could understand differently is refused, above all a name that
    /// stands twice.
    ///
    /// - Throws: `SyntaxError` with the offset; its text never repeats what was read.
    package init(parsing text: ArraySlice<UInt8>, limits: JSONLimits = JSONLimits()) throws(SyntaxError) {
        let text = text.span
        var cursor = try JSONCursor(text, limits: limits)
        cursor.skipSpace(text)
        self = try cursor.value(text, depth: limits.depth)
        try cursor.expectEnd(text)
    }

    /// Reads one JSON text strictly, see `init(parsing:limits:)` for slices.
    package init(parsing text: [UInt8], limits: JSONLimits = JSONLimits()) throws(SyntaxError) {
        try self.init(parsing: text[...], limits: limits)
    }

    /// The value of a member; nil when this is no object or has no such member.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name.elementsEqual(name.utf8) }?.value
    }

    /// The decoded bytes of a string.
    package var string: [UInt8]? {
        if case .string(let bytes) = self { bytes } else { nil }
    }

    /// A number without fraction and exponent that fits; nil for every other value.
    package var integer: Int64? {
        if case .number(let text) = self { Int64(canonicalDecimal: text.span) } else { nil }
    }

    /// A boolean's value.
    package var boolean: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }
}

extension JSONCursor {
    /// - Parameter depth: how many objects and arrays may still open
    package mutating func value(_ text: Span<UInt8>, depth: Int) throws(SyntaxError) -> JSONValue {
        switch current(text) {
        case UInt8(ascii: "{"): return .object(try object(text, depth: depth))
        case UInt8(ascii: "["): return .array(try array(text, depth: depth))
        case UInt8(ascii: "\""): return .string(try string(text).copy(text, decoded))
        case UInt8(ascii: "t"): return try keyword("true", .boolean(true), text)
        case UInt8(ascii: "f"): return try keyword("false", .boolean(false), text)
        case UInt8(ascii: "n"): return try keyword("null", .null, text)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return .number(try number(text).copy(text, decoded))
        default: throw failure("a value is expected")
        }
    }

    private mutating func keyword(
        _ word: StaticString, _ value: JSONValue, _ text: Span<UInt8>
    ) throws(SyntaxError) -> JSONValue {
        try literal(word, text)
        return value
    }

    private mutating func object(_ text: Span<UInt8>, depth: Int) throws(SyntaxError) -> [JSONValue.Member] {
        guard depth > 0 else { throw failure("too deeply nested") }
        var members: [JSONValue.Member] = []
        var seen = SeenNames()
        offset += 1
        while let name = try nextName(text, isFirst: members.isEmpty, seen: &seen) {
            members.append(.init(name: name.copy(text, decoded), value: try value(text, depth: depth - 1)))
        }
        return members
    }

    /// Steps over the comma, the name and the colon to the member's value, or over the closing brace. A name that was
    /// seen before is refused.
    @inline(__always)
    package mutating func nextName(
        _ text: Span<UInt8>, isFirst: Bool, seen: inout SeenNames
    ) throws(SyntaxError) -> FlatText? {
        guard let (name, start) = try nextName(text, isFirst: isFirst) else { return nil }
        guard seen.insert(name, text, decoded) else {
            throw SyntaxError(start, "a name stands twice in an object")
        }
        return name
    }

    /// The same, whatever names there were; with the offset of the name.
    @inline(__always)
    package mutating func nextName(
        _ text: Span<UInt8>, isFirst: Bool
    ) throws(SyntaxError) -> (name: FlatText, start: Int)? {
        skipSpace(text)
        if take(UInt8(ascii: "}"), text) { return nil }
        if !isFirst {
            try expect(UInt8(ascii: ","), text, else: "a comma or a closing brace is expected")
            skipSpace(text)
        }
        let start = offset
        let name = try string(text)
        skipSpace(text)
        try expect(UInt8(ascii: ":"), text, else: "a colon is expected")
        skipSpace(text)
        return (name, start)
    }

    private mutating func array(_ text: Span<UInt8>, depth: Int) throws(SyntaxError) -> [JSONValue] {
        guard depth > 0 else { throw failure("too deeply nested") }
        var items: [JSONValue] = []
        offset += 1
        while try nextItem(text, isFirst: items.isEmpty) { items.append(try value(text, depth: depth - 1)) }
        return items
    }
}
