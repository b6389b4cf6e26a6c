/// The caller provides the capacity: every method here traps if the bytes do not fit.
extension OutputSpan<UInt8> {
    /// Appends a copy of some bytes. The standard library offers only an append of one element at a time.
    @inlinable @inline(__always)
    package mutating func append(_ bytes: Span<UInt8>) {
        // unsafe: the capacity is checked first, the two ranges cannot overlap because the output is exclusive, and
        // exactly the copied bytes are counted as initialized.
        unsafe withUnsafeMutableBufferPointer { buffer, count in
            // A sum that overflows is negative.
            let end = count &+ bytes.count
            precondition(end >= 0 && end <= buffer.count, "the bytes do not fit")
            unsafe bytes.withUnsafeBytes { source in
                guard let from = source.baseAddress, let base = buffer.baseAddress else { return }
                unsafe UnsafeMutableRawPointer(base + count).copyMemory(from: from, byteCount: source.count)
            }
            count = end
        }
    }

    /// Appends a copy of some bytes.
    @inlinable @inline(__always)
    package mutating func append(_ bytes: borrowing [UInt8]) { append(bytes.span) }

    /// Appends a string literal.
    @inlinable @inline(__always)
    package mutating func append(_ text: StaticString) {
        // unsafe: the literal lives as long as the program, and the count is its own.
        unsafe append(Span(_unsafeStart: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends the first bytes of a value in memory order. There must be room for the whole value.
    ///
    /// - Parameter number: how many bytes to append, at most the size of the value.
    @inlinable @inline(__always)
    package mutating func append<Value: BitwiseCopyable>(first number: Int, ofPlain value: Value) {
        let size = MemoryLayout<Value>.size
        // unsafe: the capacity for the whole value is checked first, and at most the stored bytes are counted.
        unsafe withUnsafeMutableBufferPointer { buffer, count in
            let end = count &+ size
            precondition(end >= 0 && end <= buffer.count && 0...size ~= number, "the bytes do not fit")
            guard let base = buffer.baseAddress else { return }
            unsafe UnsafeMutableRawPointer(base + count).storeBytes(of: value, as: Value.self)
            count &+= number
        }
    }
}
