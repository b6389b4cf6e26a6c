extension JSONCursor {
    /// Steps over one value and finds it well-formed, without building anything. Names that stand twice are left to
    /// whoever reads the value.
    ///
    /// - Parameter depth: how many objects and arrays may still open
    package mutating func skipValue(_ text: Span<UInt8>, depth: Int) throws(SyntaxError) {
        // What is decoded on the way is forgotten; what was decoded before belongs to texts that others hold.
        let kept = decoded.count
        defer { decoded.removeLast(decoded.count - kept) }
        switch current(text) {
        case UInt8(ascii: "{"): try skipObject(text, depth: depth)
        case UInt8(ascii: "["): try skipArray(text, depth: depth)
        case UInt8(ascii: "\""): _ = try string(text)
        case UInt8(ascii: "t"): try literal("true", text)
        case UInt8(ascii: "f"): try literal("false", text)
        case UInt8(ascii: "n"): try literal("null", text)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try number(text)
        default: throw failure("a value is expected")
        }
    }

    private mutating func skipObject(_ text: Span<UInt8>, depth: Int) throws(SyntaxError) {
        guard depth > 0 else { throw failure("too deeply nested") }
        offset += 1
        var isFirst = true
        while try nextName(text, isFirst: isFirst) != nil {
            try skipValue(text, depth: depth - 1)
            isFirst = false
        }
    }

    private mutating func skipArray(_ text: Span<UInt8>, depth: Int) throws(SyntaxError) {
        guard depth > 0 else { throw failure("too deeply nested") }
        offset += 1
        var isFirst = true
        while try nextItem(text, isFirst: isFirst) {
            try skipValue(text, depth: depth - 1)
            isFirst = false
        }
    }

    /// Steps over the comma to an array's next value, or over the closing bracket, and tells which.
    package mutating func nextItem(_ text: Span<UInt8>, isFirst: Bool) throws(SyntaxError) -> Bool {
        skipSpace(text)
        if take(UInt8(ascii: "]"), text) { return false }
        guard !isFirst else { return true }
        try expect(UInt8(ascii: ","), text, else: "a comma or a closing bracket is expected")
        skipSpace(text)
        return true
    }
}
