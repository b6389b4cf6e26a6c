extension Span<UInt8> {
    /// Where a byte stands next, from `start` on; the count when it does not.
    @inlinable @inline(__always)
    package func position(of byte: UInt8, from start: Int) -> Int {
        let pattern = 0x0101_0101_0101_0101 &* UInt64(byte)
        var index = start
        while count &- index >= 8 {
            let others = word(at: index) ^ pattern
            // The high bit of the first byte that is zero; of later ones it may be wrong.
            let found = (others &- 0x0101_0101_0101_0101) & ~others & 0x8080_8080_8080_8080
            if found != 0 { return index + found.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < count, self[index] != byte { index += 1 }
        return index
    }

    /// Eight bytes as one word, the first as the lowest.
    @inlinable @inline(__always)
    package func word(at index: Int) -> UInt64 {
        precondition(index >= 0 && count &- index >= 8, "the word does not lie within the span")
        // unsafe: the eight bytes were checked to lie within the span, and any bytes make an integer.
        return unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
    }

    /// Sixteen bytes, to be looked at all at once.
    @inlinable @inline(__always)
    package func block(at index: Int) -> SIMD16<UInt8> {
        precondition(index >= 0 && count &- index >= 16, "the block does not lie within the span")
        // unsafe: the sixteen bytes were checked to lie within the span, and any bytes make integers.
        return unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: SIMD16<UInt8>.self)
    }

    /// The next eight bytes as one word, the first as the lowest; zeros for those that are missing at the end.
    @inlinable @inline(__always)
    package func wordOrRest(at index: Int) -> UInt64 {
        let missing = 8 - (count - index)
        guard missing > 0 else { return word(at: index) }
        if missing <= 4 {
            // Two halves; bytes that lie in both are the same.
            let (first, last): (UInt32, UInt32) = (word(at: index), word(at: count - 4))
            return UInt64(first) | UInt64(last) << UInt64(32 - 8 * missing)
        }
        var rest: UInt64 = 0
        for position in (index..<count).reversed() { rest = rest << 8 | UInt64(self[position]) }
        return rest
    }

    /// Four bytes as one word, the first as the lowest.
    @inlinable @inline(__always)
    func word(at index: Int) -> UInt32 {
        precondition(index >= 0 && count &- index >= 4, "the word does not lie within the span")
        // unsafe: the four bytes were checked to lie within the span, and any bytes make an integer.
        return unsafe UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt32.self))
    }
}

extension SIMD16<UInt8> {
    /// The bytes of two words, the lowest of each first.
    @inlinable @inline(__always)
    package init(low: UInt64, high: UInt64) {
        var words = SIMD2(repeating: low.littleEndian)
        words[1] = high.littleEndian
        // unsafe: two words are sixteen bytes, any of which make integers.
        self = unsafe unsafeBitCast(words, to: SIMD16<UInt8>.self)
    }
}
