import CPlatform
import Glibc

/// Writes whole buffers to a descriptor that somebody else owns (standard output, standard error).
package struct DescriptorWriter: Sendable {
    /// Descriptor 1.
    package static let standardOutput = DescriptorWriter(descriptor: 1)
    /// Descriptor 2.
    package static let standardError = DescriptorWriter(descriptor: 2)

    /// Not every byte was written.
    package struct Incomplete: Error, CustomStringConvertible {
        /// How many were.
        package let written: Int
        /// Why no more.
        package let reason: SystemError

        /// - Parameters:
        ///   - written: how many bytes were.
        ///   - reason: why no more.
        package init(written: Int, reason: SystemError) {
            (self.written, self.reason) = (written, reason)
        }

        /// The reason.
        package var description: String { reason.description }
    }

    private let descriptor: Int32

    /// - Parameter descriptor: an open descriptor; it is not closed by this value.
    package init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Whether a person reads it at a terminal.
    package var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Writes every byte; partial writes, interruptions and a full pipe are waited out.
    ///
    /// Blocks, so it belongs on a queue of its own.
    package func write(_ bytes: [UInt8]) throws(Incomplete) {
        var offset = 0
        while offset < bytes.count {
            do throws(SystemError) {
                offset += try SystemError.retryingOnInterrupt {
                    // The pointer stays inside the array: offset < count.
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
        // A failed poll only makes the write be tried again, which then reports the real error.
        _ = unsafe poll(&entry, 1, 1000)
    }
}
