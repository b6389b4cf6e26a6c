import Glibc

/// Standard input, read in lines of bounded length.
public struct StandardInput: ~Copyable {
    private var buffer: [UInt8] = []
    private var start = 0
    private var ended = false

    /// Reads from descriptor 0; make one only.
    public init() {}

    /// The next line without its end; nil at the end of input.
    ///
    /// - Parameter limit: a longer line is refused with `EMSGSIZE`.
    public mutating func nextLine(limit: Int = 1 << 20) throws(SystemError) -> ArraySlice<UInt8>? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0A) {
                defer { start = end + 1 }
                return buffer[start..<end]
            }
            guard buffer.count - start <= limit else { throw SystemError(EMSGSIZE) }
            if ended {
                defer { start = buffer.count }
                return start < buffer.count ? buffer[start...] : nil
            }
            buffer.removeFirst(start)
            start = 0
            searched = buffer.count
            try fill()
        }
    }

    private mutating func fill() throws(SystemError) {
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        // The pointer is used within the call only and bounded by the array's own count.
        let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(0, $0.baseAddress, $0.count) }
        guard count >= 0 else {
            if errno == EINTR { return }
            throw SystemError(errno)
        }
        ended = count == 0
        buffer += chunk.prefix(count)
    }
}
