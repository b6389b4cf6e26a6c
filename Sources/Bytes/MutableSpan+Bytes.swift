extension MutableSpan<UInt8> {
    /// Writes two lower-case hexadecimal digits for every byte over what stands from `start` on; they must fit.
    @inlinable
    public mutating func write(hexadecimal bytes: Span<UInt8>, at start: Int) {
        precondition(start >= 0 && bytes.count <= (count - start) / 2, "the digits do not fit")
        // unsafe: the bytes that were checked to be there are exclusively ours, and none of them needs to be destroyed.
        unsafe withUnsafeMutableBufferPointer { buffer in
            let place = unsafe UnsafeMutableBufferPointer(rebasing: buffer[start..<start + 2 * bytes.count])
            var output = unsafe OutputSpan(buffer: place, initializedCount: 0)
            output.append(hexadecimal: bytes)
            _ = unsafe output.finalize(for: place)
        }
    }
}
