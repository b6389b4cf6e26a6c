import Text

extension ObjectKeyCheck {
    /// Whether a path has nothing to look at more closely: all is ASCII without controls, `%` and `\`, and neither a slash
    /// nor a dot begins a segment. Most paths are so, and sixteen bytes are looked at together.
    ///
    /// - Returns: false for paths of sixteen bytes at most, whatever they are.
    package static func isPlain(_ path: Span<UInt8>) -> Bool {
        guard path.count > 16 else { return false }
        // The path begins as if a slash stood before it.
        let first = unusual(SIMD16(repeating: path[0]), after: SIMD16(repeating: UInt8(ascii: "/")))
        return (first | path.union(from: 1) { unusual(path.block(at: $0), after: path.block(at: $0 &- 1)) }).isASCII
    }

    /// Sets the highest bit of every byte to be looked at more closely.
    ///
    /// - Parameter previous: what stands one byte before each of them.
    @inline(__always)
    private static func unusual(_ block: SIMD16<UInt8>, after previous: SIMD16<UInt8>) -> SIMD16<UInt8> {
        let (percents, backslashes) = (block ^ UInt8(ascii: "%"), block ^ UInt8(ascii: "\\"))
        // A dot and a slash differ in the lowest bit only.
        let beginnings = (previous ^ UInt8(ascii: "/")) | ((block | 1) ^ UInt8(ascii: "/"))
        // Where a byte is less than what is taken from it, the bit is set as well.
        return block | (block &+ 1) | (block &- 0x20) | (percents &- 1) | (backslashes &- 1) | (beginnings &- 1)
    }
}
