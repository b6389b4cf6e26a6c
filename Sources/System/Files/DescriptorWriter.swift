import CPlatform
import Glibc

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
