import CPlatform
import Glibc

/// Writes whole buffers to a descriptor that somebody else owns (standard output, standard error).
public struct DescriptorWriter: Sendable {
    /// Descriptor 1.
    public static let standardOutput = DescriptorWriter(descriptor: 1)
    /// Descriptor 2.
    public static let standardError = DescriptorWriter(descriptor: 2)

    /// Not every byte was written.
    public struct Incomplete: Error, CustomStringConvertible {
        /// How many were.
        public let written: Int
        /// Why no more.
        public let reason: SystemError

        /// - Parameters:
        ///   - written: how many bytes were.
        ///   - reason: why no more.
        public init(written: Int, reason: SystemError) {
            (self.written, self.reason) = (written, reason)
        }

        /// The reason.
        public var description: String { reason.description }
    }

    private let descriptor: Int32

    /// - Parameter descriptor: an open descriptor; it is not closed by this value.
    public init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Whether a person reads it at a terminal.
    public var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Writes every byte; partial writes, interruptions and a full pipe are waited out.
    ///
    /// Blocks, so it belongs on a queue of its own.
    public func write(_ bytes: [UInt8]) throws(Incomplete) {
        var offset = 0
        while offset < bytes.count {
            // The pointer stays inside the array: offset < count.
            let written = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress?.advanced(by: offset), $0.count - offset)
            }
            if written >= 0 {
                offset += written
            } else if errno == EAGAIN {
                waitUntilWritable()
            } else if errno != EINTR {
                throw Incomplete(written: offset, reason: SystemError(errno))
            }
        }
    }

    private func waitUntilWritable() {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // A failed poll only makes the write be tried again, which then reports the real error.
        _ = unsafe poll(&entry, 1, 1000)
    }
}
