import CPlatform
import Glibc

/// An open regular file. `deinit` closes it.
package final class OpenFile: Sendable {
    let descriptor: Int32
    private let afterClosing: (@Sendable () -> Void)?

    /// Takes ownership of a descriptor.
    ///
    /// - Throws: `EINVAL` if it is not a regular file. The descriptor is then closed.
    package init(owning descriptor: Int32, afterClosing: (@Sendable () -> Void)? = nil) throws(SystemError) {
        self.descriptor = descriptor
        self.afterClosing = afterClosing
        guard try FileStatus(of: descriptor).isRegularFile else { throw SystemError(EINVAL) }
    }

    deinit {
        close(descriptor)
        afterClosing?()
    }

    /// Returns the file's current size, owner and permissions.
    package func status() throws(SystemError) -> FileStatus { try FileStatus(of: descriptor) }

    /// Writes all bytes at the file's position and advances it.
    package func write(_ bytes: Span<UInt8>) throws(SystemError) {
        var offset = 0
        while offset < bytes.count {
            offset += try SystemError.retryingOnInterrupt {
                // unsafe: the pointer stays inside the span, because offset < count.
                unsafe bytes.withUnsafeBytes { buffer in
                    unsafe Glibc.write(descriptor, buffer.baseAddress?.advanced(by: offset), buffer.count - offset)
                }
            }
        }
    }

    /// Returns `count` bytes from `offset` on, or fewer at the end of the file.
    package func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
        var content = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let received = try SystemError.retryingOnInterrupt {
                // unsafe: the pointer stays inside the array, because filled < count.
                unsafe content.withUnsafeMutableBytes { buffer in
                    unsafe pread(
                        descriptor, buffer.baseAddress?.advanced(by: filled), count - filled, off_t(offset + filled))
                }
            }
            guard received > 0 else { break }
            filled += received
        }
        return Array(content.prefix(filled))
    }

    /// Waits until content and size are on disk.
    package func sync() throws(SystemError) {
        guard fsync(descriptor) == 0 else { throw SystemError(errno) }
    }

    /// Copies the first `count` bytes to `target`'s position, in the kernel if possible.
    ///
    /// - Throws: `EIO` if the file has fewer bytes.
    package func copy(first count: Int, to target: OpenFile) throws(SystemError) {
        var offset = 0
        while offset < count {
            let piece: Int
            do throws(SystemError) {
                piece = try SystemError.retryingOnInterrupt {
                    presign_copy_range(descriptor, Int64(offset), target.descriptor, count - offset)
                }
            } catch {
                // File systems that do not support copy_file_range(2) return one of these.
                guard [EXDEV, ENOSYS, EOPNOTSUPP, EINVAL, EPERM].contains(error.code) else { throw error }
                return try copyThroughMemory(offset..<count, to: target)
            }
            guard piece > 0 else { return try copyThroughMemory(offset..<count, to: target) }
            offset += piece
        }
    }

    private func copyThroughMemory(_ range: Range<Int>, to target: OpenFile) throws(SystemError) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let piece = try read(at: offset, count: min(256 * 1024, range.upperBound - offset))
            guard !piece.isEmpty else { throw SystemError(EIO) }
            try target.write(piece.span)
            offset += piece.count
        }
    }
}
