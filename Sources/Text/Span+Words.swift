extension Span<UInt8> {
    /// Returns the eight bytes at an index as a little-endian integer.
    @inlinable @inline(__always)
    package func word(at index: Int) -> UInt64 {
        precondition(index >= 0 && count &- index >= 8, "the word is out of range")
        // unsafe: the eight bytes are within the span, and every bit pattern is a valid integer.
        return unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
    }

    /// Returns the eight bytes at an index as a little-endian integer, zeros in place of those past the end.
    package func wordOrRest(at index: Int) -> UInt64 {
        if count - index >= 8 { return word(at: index) }
        if count >= 8 { return word(at: count - 8) >> (8 * (index + 8 - count)) }
        var rest: UInt64 = 0
        for position in (index..<count).reversed() { rest = rest << 8 | UInt64(self[position]) }
        return rest
    }
}
