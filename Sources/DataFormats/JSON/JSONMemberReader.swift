/// Yields the members of one JSON object without building a tree: the hot path of request bodies.
package struct JSONMemberReader: ~Copyable, FlatMemberReader {
    private var cursor: JSONCursor
    private let depth: Int
    private var state = State.start

    private enum State {
        case start, members, end
    }

    /// - Parameters:
    ///   - text: a JSON text whose value should be an object
    ///   - limits: bounds on it
    /// - Throws: `SyntaxError` for a text over the limit, invalid UTF-8 and a byte order mark.
    package init(_ text: Span<UInt8>, limits: JSONLimits = JSONLimits()) throws(SyntaxError) {
        cursor = try JSONCursor(text, limits: limits)
        depth = limits.depth
    }

    /// The next member; nil after the last one, when the whole text has been found well-formed.
    package mutating func next(
        in text: Span<UInt8>, _ seen: inout SeenNames
    ) throws(SyntaxError) -> FlatMember? {
        if state == .end { return nil }
        let isFirst = state == .start
        if isFirst {
            cursor.skipSpace(text)
            try cursor.expect(UInt8(ascii: "{"), text, else: "an object is expected")
            state = .members
        }
        guard let name = try cursor.nextName(text, isFirst: isFirst, seen: &seen) else {
            try cursor.expectEnd(text)
            state = .end
            return nil
        }
        return FlatMember(name: name, value: try value(text))
    }

    /// Lends the bytes of a text that this reader has found.
    @inline(__always)
    package func read<Result>(
        _ found: FlatText, in text: Span<UInt8>, _ body: (Span<UInt8>) -> Result
    ) -> Result {
        found.read(text, cursor.decoded, body)
    }

    @inline(__always)
    private mutating func value(_ text: Span<UInt8>) throws(SyntaxError) -> FlatValue {
        switch cursor.current(text) {
        case UInt8(ascii: "\""): return .string(try cursor.string(text))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try cursor.number(text))
        default: break
        }
        switch try cursor.value(text, depth: depth - 1) {
        case .boolean(let value): return .boolean(value)
        case .null: return .null
        default: return .compound
        }
    }
}
