import CPlatform
import Glibc

/// Descriptors 0, 1 and 2: standard input, output and error.
package enum StandardDescriptors {
    /// Opens `/dev/null` on each of them that is closed. Call this before the process opens any descriptor.
    ///
    /// The kernel gives a new file or socket the lowest free number. Without this call, text for standard output could
    /// end up in the first file or socket that the process opens.
    ///
    /// - Throws: `SystemError` if `/dev/null` cannot be opened.
    package static func openClosed() throws(SystemError) {
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
            // All lower descriptors are open, so the kernel returns this one. unsafe: the path is only read.
            guard unsafe open("/dev/null", O_RDWR) == descriptor else { throw SystemError(errno) }
        }
    }
}

/// Writes whole buffers to a descriptor that it does not own, such as standard output.
package struct DescriptorWriter: Sendable {
    package static let standardOutput = DescriptorWriter(descriptor: 1)
    package static let standardError = DescriptorWriter(descriptor: 2)

    /// A write failed before all bytes were written.
    package struct Incomplete: Error, CustomStringConvertible {
        /// The number of bytes written before the failure.
        package let written: Int
        /// The error of the write that failed.
        package let reason: SystemError

        package init(written: Int, reason: SystemError) {
            (self.written, self.reason) = (written, reason)
        }

        package var description: String { reason.description }
    }

    private let descriptor: Int32

    /// - Parameter descriptor: an open descriptor. The caller closes it.
    package init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Whether the descriptor refers to a terminal.
    package var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Writes all bytes. Blocks while a pipe is full, so call it on a dedicated queue.
    package func write(_ bytes: [UInt8]) throws(Incomplete) {
        var offset = 0
        while offset < bytes.count {
            do throws(SystemError) {
                offset += try SystemError.retryingOnInterrupt {
                    // unsafe: the pointer stays inside the array, because offset < count.
                    unsafe bytes.withUnsafeBytes {
                        unsafe Glibc.write(descriptor, $0.baseAddress?.advanced(by: offset), $0.count - offset)
                    }
                }
            } catch {
                guard error.code == EAGAIN else { throw Incomplete(written: offset, reason: error) }
                waitUntilWritable()
            }
        }
    }

    private func waitUntilWritable() {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // unsafe: poll writes the local structure. If it fails, the next write reports the error.
        _ = unsafe poll(&entry, 1, 1000)
    }
}

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
            let chunk = try SystemError.bytes(from: 0, atMost: 64 * 1024)
            ended = chunk.isEmpty
            buffer += chunk
        }
    }
}
