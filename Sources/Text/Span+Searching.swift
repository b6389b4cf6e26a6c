extension Span<UInt8> {
    /// Returns the index of the first occurrence of a byte at or after `start`, or `count` if the byte does not occur.
    package func position(of byte: UInt8, from start: Int) -> Int {
        position(from: start) { $0.equal(to: byte) }
    }

    /// Returns the index of the first control character other than a tab at or after `start`, or `count`. The value of
    /// an HTTP field must not contain such characters (RFC 9110 section 5.5).
    package func positionOfControl(from start: Int) -> Int {
        position(from: start) { $0.below(0x20) & ~$0.equal(to: ASCII.tab) | $0.equal(to: 0x7F) }
    }

    /// Returns the index of the first quote, backslash or control character at or after `start`, or `count`. A JSON
    /// string must escape these characters (RFC 8259 section 7).
    package func positionOfJSONEscape(from start: Int) -> Int {
        position(from: start) { $0.below(0x20) | $0.equal(to: ASCII.quote) | $0.equal(to: ASCII.backslash) }
    }

    /// Returns the index of the first byte at or after `start` other than `A-Z a-z 0-9 - . _ ~` (RFC 3986 section 2.3)
    /// and, if `keepsSlash`, `/`; `count` without such a byte.
    package func positionOfReserved(from start: Int, keepsSlash: Bool) -> Int {
        position(from: start) { word in
            let letters = word.within(0x41...0x5A) | word.within(0x61...0x7A)
            let digits = word.within(keepsSlash ? 0x2F...0x39 : 0x30...0x39)
            let marks = word.within(0x2D...0x2E) | word.equal(to: 0x5F) | word.equal(to: 0x7E)
            return ByteWord.others(letters | digits | marks)
        }
    }

    /// Whether all bytes are printable ASCII that needs no escape in a JSON string.
    package var isPlainJSON: Bool {
        position(from: 0) {
            $0.below(0x20) | $0.above(0x7E) | $0.equal(to: ASCII.quote) | $0.equal(to: ASCII.backslash)
        } == count
    }

    /// Returns the index of the first byte at or after `start` that passes a test, or `count` if none does.
    ///
    /// - Parameter test: a combination of the tests of `ByteWord`.
    private func position(from start: Int, where test: (ByteWord) -> UInt64) -> Int {
        var index = start
        while count - index >= 8 {
            let found = test(ByteWord(word(at: index)))
            if found != 0 { return index + found.trailingZeroBitCount / 8 }
            index += 8
        }
        guard index < count else { return count }
        let found = test(ByteWord(wordOrRest(at: index)))
        return found == 0 ? count : Swift.min(count, index + found.trailingZeroBitCount / 8)
    }
}
