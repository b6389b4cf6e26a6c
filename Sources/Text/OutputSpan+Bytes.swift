extension OutputSpan<UInt8> {
    /// Appends a copy of some bytes in one move; they must fit, as with every append to a span.
    ///
    /// The standard library appends to a span one element at a time, and an array that is appended to another is
    /// retained for it; most of what this service does is to put texts together.
    @inlinable @inline(__always)
    package mutating func append(_ bytes: Span<UInt8>) {
        // unsafe: the room is checked before; the two do not overlap, since a span that is being written to is
        // exclusively ours; and exactly the bytes counted as initialized are copied.
        unsafe withUnsafeMutableBufferPointer { buffer, count in
            // Checked as the standard library checks the count afterwards, so that once suffices; a sum that is too large
            // for an integer is negative.
            let end = count &+ bytes.count
            precondition(end >= 0 && end <= buffer.count, "the bytes do not fit")
            unsafe bytes.withUnsafeBytes { source in
                guard let from = source.baseAddress, let base = buffer.baseAddress else { return }
                unsafe UnsafeMutableRawPointer(base + count).copyMemory(from: from, byteCount: source.count)
            }
            count = end
        }
    }

    /// Appends a copy of some bytes in one move; they must fit.
    @inlinable @inline(__always)
    package mutating func append(_ bytes: borrowing [UInt8]) { append(bytes.span) }

    /// Appends a text known at compile time.
    @inlinable @inline(__always)
    package mutating func append(_ text: StaticString) {
        // unsafe: the text lives as long as the program, and the count is its own.
        unsafe append(Span(_unsafeStart: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends the eight bytes of a word, its lowest first.
    @inlinable @inline(__always)
    package mutating func append(lowestFirst word: UInt64) {
        append(first: 8, of: word)
    }

    /// Appends the lowest bytes of a word, its lowest first; there must be room for all eight, whatever their number.
    @inlinable @inline(__always)
    package mutating func append(first number: Int, of word: UInt64) {
        append(first: number, ofPlain: word.littleEndian)
    }

    /// Appends the first bytes of an integer or a vector of them; there must be room for all, whatever their number.
    @inlinable @inline(__always)
    package mutating func append<Value: BitwiseCopyable>(first number: Int, ofPlain value: Value) {
        let size = MemoryLayout<Value>.size
        // unsafe: there is room for the bytes that are written, of which no more are counted.
        unsafe withUnsafeMutableBufferPointer { buffer, count in
            let end = count &+ size
            precondition(end >= 0 && end <= buffer.count && 0...size ~= number, "the bytes do not fit")
            guard let base = buffer.baseAddress else { return }
            unsafe UnsafeMutableRawPointer(base + count).storeBytes(of: value, as: Value.self)
            count &+= number
        }
    }
}
