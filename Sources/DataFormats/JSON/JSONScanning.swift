import Text

/// The bytes that a JSON string cannot hold as they are (RFC 8259 section 7), looked for eight or sixteen at a time.
enum JSONScanning {
    /// Where the next quote, backslash or control character stands, or the count.
    @inline(__always)
    static func special(in text: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while text.count &- index >= 8 {
            let found = specials(text.word(at: index))
            if found != 0 { return index + found.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < text.count, !isSpecial(text[index]) { index += 1 }
        return index
    }

    /// Whether all of a text is ASCII.
    static func isASCII(_ text: Span<UInt8>) -> Bool { finds(nothingIn: text) { $0 } }

    /// Whether all of a text is ASCII that stands for itself, 0x7F left out.
    static func isPlain(_ text: Span<UInt8>) -> Bool { finds(nothingIn: text) { notPlain($0) } }

    /// Whether a test sets the highest bit for no byte of a text, sixteen of them looked at together.
    @inline(__always)
    private static func finds(nothingIn text: Span<UInt8>, _ test: (SIMD16<UInt8>) -> SIMD16<UInt8>) -> Bool {
        guard text.count >= 16 else { return test(text.block(paddedWith: UInt8(ascii: " "))).isASCII }
        return text.union(from: 0) { test(text.block(at: $0)) }.isASCII
    }

    /// Sets the highest bit of every byte that is no ASCII that stands for itself.
    @inline(__always)
    private static func notPlain(_ block: SIMD16<UInt8>) -> SIMD16<UInt8> {
        // Where a byte is less than what is taken from it, the bit is set as well.
        let (quotes, backslashes) = (block ^ UInt8(ascii: "\""), block ^ UInt8(ascii: "\\"))
        return block | (block &+ 1) | (block &- 0x20) | (quotes &- 1) | (backslashes &- 1)
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static var ones: UInt64 { 0x0101_0101_0101_0101 }
    private static var highBits: UInt64 { 0x8080_8080_8080_8080 }

    /// The highest bit of the first byte that is special, and perhaps of some after it: to subtract borrows from them.
    @inline(__always)
    private static func specials(_ word: UInt64) -> UInt64 {
        let quotes = word ^ 0x2222_2222_2222_2222
        let backslashes = word ^ 0x5C5C_5C5C_5C5C_5C5C
        let below = (word &- 0x2020_2020_2020_2020) & ~word
        let zeros = ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
        return (below | zeros) & highBits
    }
}
