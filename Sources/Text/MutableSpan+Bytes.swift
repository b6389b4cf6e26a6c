extension MutableSpan<UInt8> {
    /// Writes over the bytes from one on, of which those that are not written stay as they are.
    @inlinable @inline(__always)
    package mutating func overwrite(from start: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
        precondition(0...count ~= start, "the bytes lie outside")
        // unsafe: the bytes that were checked to be there are exclusively ours, and none of them needs to be destroyed.
        unsafe withUnsafeMutableBufferPointer { buffer in
            let rest = unsafe UnsafeMutableBufferPointer(rebasing: buffer[start...])
            var output = unsafe OutputSpan(buffer: rest, initializedCount: 0)
            write(&output)
            _ = unsafe output.finalize(for: rest)
        }
    }
}
