/// Yields the members of one JSON object without building a tree: the hot path of request bodies.
package struct JSONMemberReader: FlatMemberReader {
    private var cursor: JSONCursor
    private var seen = SeenNames()
    private let depth: Int
    private var state = State.start

    private enum State {
        case start, members, end
    }

    /// - Parameters:
    ///   - text: a JSON text whose value should be an object
    ///   - limits: bounds on it
    /// - Throws: `SyntaxError` for a text over the limit, invalid UTF-8 and a byte order mark.
    package init(_ text: ArraySlice<UInt8>, limits: JSONLimits = JSONLimits()) throws(SyntaxError) {
        cursor = try JSONCursor(text, limits: limits)
        depth = limits.depth
    }

    /// The next member; nil after the last one, when the whole text has been found well-formed.
    package mutating func next() throws(SyntaxError) -> FlatMember? {
        if state == .end { return nil }
        let isFirst = state == .start
        if isFirst {
            cursor.skipSpace()
            try cursor.expect(UInt8(ascii: "{"), else: "an object is expected")
            state = .members
        }
        guard let name = try cursor.nextName(isFirst: isFirst, seen: &seen) else {
            try cursor.expectEnd()
            state = .end
            return nil
        }
        let offset = cursor.offset
        return FlatMember(name: name, value: try value(), offset: offset)
    }

    /// Lends the bytes of a text that this reader has found.
    @inline(__always)
    package func read<Result>(_ text: FlatText, _ body: (Span<UInt8>) -> Result) -> Result { cursor.read(text, body) }

    private mutating func value() throws(SyntaxError) -> FlatValue {
        switch cursor.current {
        case UInt8(ascii: "\""): return .string(try cursor.string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try cursor.number())
        default: break
        }
        switch try cursor.value(depth: depth - 1) {
        case .boolean(let value): return .boolean(value)
        case .null: return .null
        default: return .compound
        }
    }
}
