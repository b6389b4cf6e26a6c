extension JSONCursor {
    /// Steps over one value and finds it well-formed, without building anything. Names that stand twice are left to
    /// whoever reads the value.
    ///
    /// - Parameter depth: how many objects and arrays may still open
    mutating func skipValue(depth: Int) throws(SyntaxError) {
        // What is decoded on the way is forgotten; what was decoded before belongs to texts that others hold.
        let kept = decoded.count
        defer { decoded.removeLast(decoded.count - kept) }
        switch current {
        case UInt8(ascii: "{"): try skipObject(depth: depth)
        case UInt8(ascii: "["): try skipArray(depth: depth)
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "t"): try literal("true")
        case UInt8(ascii: "f"): try literal("false")
        case UInt8(ascii: "n"): try literal("null")
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try number()
        default: throw failure("a value is expected")
        }
    }

    private mutating func skipObject(depth: Int) throws(SyntaxError) {
        guard depth > 0 else { throw failure("too deeply nested") }
        index += 1
        var isFirst = true
        while try nextName(isFirst: isFirst) != nil {
            try skipValue(depth: depth - 1)
            isFirst = false
        }
    }

    private mutating func skipArray(depth: Int) throws(SyntaxError) {
        guard depth > 0 else { throw failure("too deeply nested") }
        index += 1
        var isFirst = true
        while try nextItem(isFirst: isFirst) {
            try skipValue(depth: depth - 1)
            isFirst = false
        }
    }

    /// Steps over the comma to an array's next value, or over the closing bracket, and tells which.
    mutating func nextItem(isFirst: Bool) throws(SyntaxError) -> Bool {
        skipSpace()
        if take(UInt8(ascii: "]")) { return false }
        guard !isFirst else { return true }
        try expect(UInt8(ascii: ","), else: "a comma or a closing bracket is expected")
        skipSpace()
        return true
    }
}
