import Glibc

/// Standard input, read in lines of bounded length.
package struct StandardInput: ~Copyable {
    private var buffer: [UInt8] = []
    private var start = 0
    private var ended = false

    /// Reads from descriptor 0; make one only.
    package init() {}

    /// The next line without its end; nil at the end of input.
    ///
    /// - Parameter limit: of a longer line there are one byte more than these; the rest is passed over, so that memory
    ///   stays bounded and whoever has the same limit refuses it.
    package mutating func nextLine(limit: Int = 1 << 20) throws(SystemError) -> ArraySlice<UInt8>? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0A) {
                defer { start = end + 1 }
                return buffer[start..<end].prefix(limit + 1)
            }
            if ended {
                defer { start = buffer.count }
                return start < buffer.count ? buffer[start...].prefix(limit + 1) : nil
            }
            buffer.removeFirst(start)
            start = 0
            buffer.removeLast(max(0, buffer.count - limit - 1))
            searched = buffer.count
            try fill()
        }
    }

    private mutating func fill() throws(SystemError) {
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        let count = try SystemError.retryingOnInterrupt {
            // The pointer is used within the call only and bounded by the array's own count.
            unsafe chunk.withUnsafeMutableBytes { unsafe read(0, $0.baseAddress, $0.count) }
        }
        ended = count == 0
        buffer += chunk.prefix(count)
    }
}
