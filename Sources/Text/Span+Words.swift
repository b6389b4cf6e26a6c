extension Span<UInt8> {
    /// Returns the index of the first occurrence of a byte at or after `start`, or `count` if the byte does not occur.
    @inlinable @inline(__always)
    package func position(of byte: UInt8, from start: Int) -> Int {
        let pattern = 0x0101_0101_0101_0101 &* UInt64(byte)
        var index = start
        while count &- index >= 8 {
            let others = word(at: index) ^ pattern
            // Sets the high bit of the first byte that matches; the bits of later bytes are not exact.
            let found = (others &- 0x0101_0101_0101_0101) & ~others & 0x8080_8080_8080_8080
            if found != 0 { return index + found.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < count, self[index] != byte { index += 1 }
        return index
    }

    /// Returns the eight bytes at an index as a little-endian integer.
    @inlinable @inline(__always)
    package func word(at index: Int) -> UInt64 {
        precondition(index >= 0 && count &- index >= 8, "the word is out of range")
        // unsafe: the eight bytes are within the span, and every bit pattern is a valid integer.
        return unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
    }

    /// Returns the 16 bytes at an index.
    func block(at index: Int) -> SIMD16<UInt8> {
        precondition(index >= 0 && count &- index >= 16, "the block is out of range")
        // unsafe: the 16 bytes are within the span, and every bit pattern is a valid vector.
        return unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: SIMD16<UInt8>.self)
    }

    /// Returns the eight bytes at an index as a little-endian integer, zeros in place of those past the end.
    package func wordOrRest(at index: Int) -> UInt64 {
        if count - index >= 8 { return word(at: index) }
        var rest: UInt64 = 0
        for position in (index..<count).reversed() { rest = rest << 8 | UInt64(self[position]) }
        return rest
    }
}
