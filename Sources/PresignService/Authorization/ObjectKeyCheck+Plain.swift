import Bytes

extension ObjectKeyCheck {
    /// Whether a path has nothing to look at more closely: all is ASCII without controls, `%` and `\`, and neither a slash
    /// nor a dot begins a segment. Most paths are so, and eight bytes are looked at together.
    ///
    /// - Returns: false for paths of fewer than eight bytes, whatever they are.
    static func isPlain(_ path: Span<UInt8>) -> Bool {
        guard path.count >= 8 else { return false }
        var start = 0
        while true {
            let isSegment = start == 0 || path[start - 1] == UInt8(ascii: "/")
            guard isPlain(path.word(at: start), beginsSegment: isSegment) else { return false }
            let rest = path.count - 8 - start
            if rest == 0 { return true }
            // The last word overlaps the one before it.
            start += min(rest, 8)
        }
    }

    /// Each test sets the highest bit of every byte that passes. Where all bytes are ASCII no addition carries into the
    /// next byte, and where one is not the word is refused whatever they say.
    @inline(__always)
    private static func isPlain(_ word: UInt64, beginsSegment: Bool) -> Bool {
        let highBits: UInt64 = 0x8080_8080_8080_8080
        let isASCII = ~word
        let isNoControl = (word &+ 0x6060_6060_6060_6060) & ~(word &+ 0x0101_0101_0101_0101)
        let plain =
            isASCII & isNoControl & differs(word, from: UInt8(ascii: "%")) & differs(word, from: UInt8(ascii: "\\"))
        let isSlash = ~differs(word, from: UInt8(ascii: "/")) & highBits
        // A dot and a slash differ in the lowest bit only.
        let isDotOrSlash = ~differs(word | 0x0101_0101_0101_0101, from: UInt8(ascii: "/"))
        let followsSlash = isSlash << 8 | (beginsSegment ? 0x80 : 0)
        return plain & ~(followsSlash & isDotOrSlash) & highBits == highBits
    }

    @inline(__always)
    private static func differs(_ word: UInt64, from byte: UInt8) -> UInt64 {
        (word ^ (0x0101_0101_0101_0101 &* UInt64(byte))) &+ 0x7F7F_7F7F_7F7F_7F7F
    }
}
