extension MutableSpan<UInt8> {
    /// Overwrites bytes from an index on. Bytes after the last one written keep their values.
    package mutating func overwrite(from start: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
        precondition(0...count ~= start, "the start index is out of range")
        // unsafe: the buffer covers initialized bytes of this span, to which the call has exclusive access.
        unsafe withUnsafeMutableBufferPointer { buffer in
            let rest = unsafe UnsafeMutableBufferPointer(rebasing: buffer[start...])
            var output = unsafe OutputSpan(buffer: rest, initializedCount: 0)
            write(&output)
            _ = unsafe output.finalize(for: rest)
        }
    }
}
