extension Span<UInt8> {
    /// Returns the index of the first occurrence of a byte at or after `start`, or `count` if the byte does not occur.
    public func position(of byte: UInt8, from start: Int) -> Int {
        position(from: start) { $0.equal(to: byte) }
    }

    /// Returns the index of the first control character other than a tab at or after `start`, or `count`. The value of
    /// an HTTP field must not contain such characters (RFC 9110 section 5.5).
    public func positionOfControl(from start: Int) -> Int {
        position(from: start) { $0.below(0x20) & ~$0.equal(to: ASCII.tab) | $0.equal(to: 0x7F) }
    }

    /// Returns the index of the first quote, backslash or control character at or after `start`, or `count`. A JSON
    /// string must escape these characters (RFC 8259 section 7).
    public func positionOfJSONEscape(from start: Int) -> Int {
        position(from: start) { $0.below(0x20) | $0.equal(to: ASCII.quote) | $0.equal(to: ASCII.backslash) }
    }

    /// Returns the index of the first byte at or after `start` other than `A-Z a-z 0-9 - . _ ~` (RFC 3986 section 2.3)
    /// and, if `keepsSlash`, `/`; `count` without such a byte.
    public func positionOfReserved(from start: Int, keepsSlash: Bool) -> Int {
        position(from: start) { word in
            let letters = word.within(0x41...0x5A) | word.within(0x61...0x7A)
            let digits = word.within(keepsSlash ? 0x2F...0x39 : 0x30...0x39)
            let marks = word.within(0x2D...0x2E) | word.equal(to: 0x5F) | word.equal(to: 0x7E)
            return ~(letters | digits | marks)
        }
    }

    /// Whether all bytes are printable ASCII that needs no escape in a JSON string.
    public var isPlainJSON: Bool {
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
            let found = test(ByteWord(word(at: index))) & ByteWord.high
            if found != 0 { return index + found.trailingZeroBitCount / 8 }
            index += 8
        }
        guard index < count else { return count }
        let found = test(ByteWord(wordOrRest(at: index))) & ByteWord.high
        return found == 0 ? count : Swift.min(count, index + found.trailingZeroBitCount / 8)
    }
}

extension Span<UInt8> {
    /// Returns the eight bytes at an index as a little-endian integer.
    @inlinable @inline(__always)
    public func word(at index: Int) -> UInt64 {
        precondition(index >= 0 && count &- index >= 8, "the word is out of range")
        // unsafe: the eight bytes are within the span, and every bit pattern is a valid integer.
        return unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
    }

    /// Returns the eight bytes at an index as a little-endian integer, zeros in place of those past the end.
    public func wordOrRest(at index: Int) -> UInt64 {
        if count - index >= 8 { return word(at: index) }
        if count >= 8 { return word(at: count - 8) >> (8 * (index + 8 - count)) }
        var rest: UInt64 = 0
        for position in (index..<count).reversed() { rest = rest << 8 | UInt64(self[position]) }
        return rest
    }
}

/// Eight bytes of a text, tested at once. A result has the highest bit of each byte that passes the test; its other bits
/// have no meaning.
struct ByteWord {
    private let bits: UInt64

    /// - Parameter bits: the bytes, the first one in the lowest bits.
    init(_ bits: UInt64) { self.bits = bits }

    /// Finds the bytes equal to `byte`.
    func equal(to byte: UInt8) -> UInt64 {
        let difference = bits ^ Self.repeating(byte)
        return ~((difference & Self.low) &+ Self.low | difference)
    }

    /// Finds the bytes below a bound.
    ///
    /// - Parameter bound: at most 128.
    func below(_ bound: UInt8) -> UInt64 {
        ~((bits & Self.low) &+ Self.repeating(0x80 &- bound) | bits)
    }

    /// Finds the bytes above a bound.
    ///
    /// - Parameter bound: at most 127.
    func above(_ bound: UInt8) -> UInt64 {
        (bits & Self.low) &+ Self.repeating(0x7F &- bound) | bits
    }

    /// Finds the bytes in a range.
    ///
    /// - Parameter range: its bounds are at most 127.
    func within(_ range: ClosedRange<UInt8>) -> UInt64 {
        ~(below(range.lowerBound) | above(range.upperBound))
    }

    private static func repeating(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }
    private static var low: UInt64 { repeating(0x7F) }
    /// The highest bit of each byte.
    static var high: UInt64 { repeating(0x80) }
}
