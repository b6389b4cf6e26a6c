import Glibc

/// Reads lines of bounded length from standard input.
package struct StandardInput: ~Copyable {
    private var buffer: [UInt8] = []
    private var start = 0
    private var ended = false

    /// Reads from descriptor 0. Create only one, because it buffers input.
    package init() {}

    /// Returns the next line without its line feed; nil at the end of input.
    ///
    /// - Parameter limit: the maximum length in bytes. A longer line is truncated to `limit + 1` bytes, so memory stays
    ///   bounded and the caller can tell that the line is too long.
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
            // unsafe: the pointer is used only during the call, with the array's count.
            unsafe chunk.withUnsafeMutableBytes { unsafe read(0, $0.baseAddress, $0.count) }
        }
        ended = count == 0
        buffer += chunk.prefix(count)
    }
}
