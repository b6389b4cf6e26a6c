import Bytes

extension ObjectKeyCheck {
    /// Whether a path has nothing to look at more closely: all is ASCII without controls, `%` and `\`, and neither a slash
    /// nor a dot begins a segment. Most paths are so, and eight bytes are looked at together.
    ///
    /// - Returns: false for paths of fewer than eight bytes, whatever they are.
    static func isPlain(_ path: Span<UInt8>) -> Bool {
        guard path.count >= 8 else { return false }
        let first = path.word(at: 0)
        // The path begins as if a slash stood before it.
        var found = unusual(first, after: first << 8 | UInt64(UInt8(ascii: "/")))
        var index = 8
        while path.count - index > 8 {
            found |= unusual(path.word(at: index), after: path.word(at: index - 1))
            index += 8
        }
        // The last eight; some of them may have been looked at before.
        let last = path.count - 8
        if last > 0 { found |= unusual(path.word(at: last), after: path.word(at: last - 1)) }
        return found & 0x8080_8080_8080_8080 == 0
    }

    /// Sets the highest bit of every byte to be looked at more closely. Where all bytes are ASCII no addition carries into
    /// the next byte, and where one is not that one's bit is set whatever becomes of the others.
    ///
    /// - Parameter previous: what stands one byte before each of them.
    @inline(__always)
    private static func unusual(_ word: UInt64, after previous: UInt64) -> UInt64 {
        let isNoControl = word &+ 0x6060_6060_6060_6060
        let isDelete = word &+ 0x0101_0101_0101_0101
        // A dot and a slash differ in the lowest bit only.
        let isNoBeginning =
            differs(previous, from: UInt8(ascii: "/"))
            | differs(word | 0x0101_0101_0101_0101, from: UInt8(ascii: "/"))
        let isUsual =
            isNoControl & differs(word, from: UInt8(ascii: "%")) & differs(word, from: UInt8(ascii: "\\"))
            & isNoBeginning
        return word | isDelete | ~isUsual
    }

    /// Sets the highest bit of every ASCII byte that is another one.
    @inline(__always)
    private static func differs(_ word: UInt64, from byte: UInt8) -> UInt64 {
        (word ^ (0x0101_0101_0101_0101 &* UInt64(byte))) &+ 0x7F7F_7F7F_7F7F_7F7F
    }
}
