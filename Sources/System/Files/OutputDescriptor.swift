import CPlatform
import Glibc

/// A descriptor of ours that lines go to: a file that is appended to, or a connected Unix socket. It never blocks, except
/// that a disk may; closed when the last reference goes.
package final class OutputDescriptor: Sendable {
    private let descriptor: Int32
    private let isSocket: Bool

    private init(owning descriptor: Int32, isSocket: Bool) {
        self.descriptor = descriptor
        self.isSocket = isSocket
    }

    deinit { close(descriptor) }

    /// Opens a file to append to, and makes it with mode 0640 when it is missing.
    ///
    /// A symbolic link in its place is refused (`ELOOP`): in a folder that others may write to it could lead anywhere. So
    /// is what is neither a file nor a character device (`EINVAL`). A file that does not end with a whole line, because
    /// its writer was cut off, gets a line feed first.
    package static func appending(to path: String) throws(SystemError) -> OutputDescriptor {
        let (output, status) = try opened(path, O_CREAT)
        if status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 {
            var last: UInt8 = 0
            // unsafe: one byte of ours is filled.
            guard unsafe pread(output.descriptor, &last, 1, status.st_size - 1) == 1 else { throw SystemError(errno) }
            if last != UInt8(ascii: "\n") { _ = try output.write([UInt8(ascii: "\n")].span) }
        }
        return output
    }

    /// Throws what `appending` would throw, and changes nothing: a file that is missing needs a folder to be made in.
    package static func checkAppending(to path: String) throws(SystemError) {
        do throws(SystemError) {
            _ = try opened(path, 0)
        } catch {
            guard error.code == ENOENT else { throw error }
            let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
            // unsafe: the text is ended by the bridge and read within the call.
            guard unsafe access(folder, W_OK | X_OK) == 0 else { throw SystemError(errno) }
        }
    }

    /// A file or a character device, opened to append to, and what the system knows of it.
    private static func opened(_ path: String, _ more: Int32) throws(SystemError) -> (OutputDescriptor, stat) {
        let flags = O_RDWR | O_APPEND | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK | O_CLOEXEC | more
        let descriptor = unsafe open(path, flags, 0o640)
        guard descriptor >= 0 else { throw SystemError(errno) }
        let output = OutputDescriptor(owning: descriptor, isSocket: false)
        var status = stat()
        // unsafe: the structure is ours and filled by the call.
        guard unsafe fstat(descriptor, &status) == 0 else { throw SystemError(errno) }
        guard [S_IFREG, S_IFCHR].contains(status.st_mode & S_IFMT) else { throw SystemError(EINVAL) }
        return (output, status)
    }

    /// Connects to a stream socket.
    ///
    /// - Parameter timeout: the longest to wait for the connection, in seconds.
    package static func connecting(to path: String, timeout: Int = 2) throws(SystemError) -> OutputDescriptor {
        // The shim answers -errno, so that nothing between can change errno.
        let descriptor = unsafe presign_connect_unix(path, Int32(timeout))
        guard descriptor >= 0 else { throw SystemError(-descriptor) }
        let output = OutputDescriptor(owning: descriptor, isSocket: true)
        guard fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0 else { throw SystemError(errno) }
        return output
    }

    /// Writes as many of the bytes as are taken at once.
    ///
    /// - Returns: how many; 0 when none can be written just now.
    package func write(_ bytes: Span<UInt8>) throws(SystemError) -> Int {
        do throws(SystemError) {
            return try SystemError.retryingOnInterrupt {
                // unsafe: the pointer is used within the call only, with the span's own count.
                unsafe bytes.withUnsafeBytes { buffer in
                    isSocket
                        ? unsafe send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
                        : unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
                }
            }
        } catch {
            guard error.code == EAGAIN || error.code == EWOULDBLOCK else { throw error }
            return 0
        }
    }

    /// Waits until something can be written, or the time is over.
    package func waitUntilWritable(milliseconds: Int) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // A failed poll only makes the write be tried again, which then reports the real error.
        _ = unsafe poll(&entry, 1, Int32(milliseconds))
    }
}
