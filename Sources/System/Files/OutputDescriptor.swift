import CPlatform
import Glibc

/// A destination for log lines: a file opened for appending, or a connected Unix socket. `deinit` closes it.
///
/// The descriptor is non-blocking, but a write to a disk may still block.
package final class OutputDescriptor: Sendable {
    private let descriptor: Int32
    private let isSocket: Bool

    private init(owning descriptor: Int32, isSocket: Bool) {
        self.descriptor = descriptor
        self.isSocket = isSocket
    }

    deinit { close(descriptor) }

    /// Opens a file for appending, and creates it with mode 0640 if it does not exist.
    ///
    /// If the file does not end with a line feed, because its last writer was interrupted, appends one first.
    ///
    /// - Throws: `ELOOP` for a symbolic link, because in a directory that others can write to, it could point anywhere;
    ///   `EINVAL` for anything but a regular file or a character device.
    package static func appending(to path: String) throws(SystemError) -> OutputDescriptor {
        let (output, status) = try opened(path, O_CREAT)
        if status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 {
            var last: UInt8 = 0
            // unsafe: the call writes one byte, to the local variable.
            guard unsafe pread(output.descriptor, &last, 1, status.st_size - 1) == 1 else { throw SystemError(errno) }
            if last != UInt8(ascii: "\n") { _ = try output.write([UInt8(ascii: "\n")].span) }
        }
        return output
    }

    /// Checks that `appending` would succeed, without changing anything. A missing file needs a writable directory.
    ///
    /// - Throws: the error that `appending` would throw.
    package static func checkAppending(to path: String) throws(SystemError) {
        do throws(SystemError) {
            _ = try opened(path, 0)
        } catch {
            guard error.code == ENOENT else { throw error }
            let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
            // unsafe: the path is NUL-terminated by Swift and read only during the call.
            guard unsafe access(folder, W_OK | X_OK) == 0 else { throw SystemError(errno) }
        }
    }

    /// Opens a file or a character device for appending, and returns its attributes too.
    private static func opened(_ path: String, _ more: Int32) throws(SystemError) -> (OutputDescriptor, stat) {
        let flags = O_RDWR | O_APPEND | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK | O_CLOEXEC | more
        // unsafe: the path is NUL-terminated by Swift and read only during the call.
        let descriptor = unsafe open(path, flags, 0o640)
        guard descriptor >= 0 else { throw SystemError(errno) }
        let output = OutputDescriptor(owning: descriptor, isSocket: false)
        var status = stat()
        // unsafe: the call writes the local structure.
        guard unsafe fstat(descriptor, &status) == 0 else { throw SystemError(errno) }
        guard [S_IFREG, S_IFCHR].contains(status.st_mode & S_IFMT) else { throw SystemError(EINVAL) }
        return (output, status)
    }

    /// Connects to a Unix stream socket.
    ///
    /// - Parameter timeout: for the connection, in seconds.
    package static func connecting(to path: String, timeout: Int = 2) throws(SystemError) -> OutputDescriptor {
        // unsafe: the path is NUL-terminated by Swift and read only during the call.
        let descriptor = unsafe presign_connect_unix(path, Int32(timeout))
        return OutputDescriptor(owning: try SystemError.check(descriptor), isSocket: true)
    }

    /// Writes as many of the bytes as possible without blocking.
    ///
    /// - Returns: the number of bytes written; 0 if the descriptor is not writable.
    package func write(_ bytes: Span<UInt8>) throws(SystemError) -> Int {
        do throws(SystemError) {
            return try SystemError.retryingOnInterrupt {
                // unsafe: the pointer is used only during the call, with the span's count.
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

    /// Waits until the descriptor is writable or the time has passed.
    package func waitUntilWritable(milliseconds: Int) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // unsafe: poll writes the local structure. If it fails, the next write reports the error.
        _ = unsafe poll(&entry, 1, Int32(milliseconds))
    }
}
