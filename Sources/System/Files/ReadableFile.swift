import Glibc

/// Reads small files whole: configuration, credentials, keys.
package struct ReadableFile: Sendable {
    /// A file could not be read.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        /// The path passed to `contents(of:)`.
        package let path: String
        /// The reason, usually the text of `strerror(3)`.
        package let reason: String
        /// Whether the file does not exist (`ENOENT`, `ENOTDIR`).
        package let isAbsent: Bool

        /// One line with the path and the reason.
        package var description: String { "cannot read \(path): \(reason)" }
    }

    /// Returns the text of an error from `contents(of:)` without the path, for a message that already has it.
    package static func reason(of error: any Error) -> String {
        (error as? Failure).map { "cannot be read: \($0.reason)" } ?? "\(error)"
    }

    /// Returns the content of the file at `path`.
    ///
    /// - Parameter limit: the maximum size in bytes. A larger file is an error.
    package static func contents(of path: String, limit: Int = 1 << 20) throws(Failure) -> [UInt8] {
        // Non-blocking, so a FIFO in place of the file cannot hang the process.
        // unsafe: the path is NUL-terminated by Swift and read only during the call.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure(path, errno) }
        defer { close(descriptor) }
        var status = stat()
        // unsafe: the call writes the local structure.
        guard unsafe fstat(descriptor, &status) == 0 else { throw failure(path, errno) }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw failure(path, EISDIR) }
        var content: [UInt8] = []
        while true {
            let chunk: [UInt8]
            do throws(SystemError) {
                chunk = try SystemError.bytes(from: descriptor, atMost: 16 * 1024)
            } catch {
                throw failure(path, error.code)
            }
            if chunk.isEmpty { return content }
            content += chunk
            guard content.count <= limit else {
                throw Failure(path: path, reason: "the file is larger than \(limit) bytes", isAbsent: false)
            }
        }
    }

    private static func failure(_ path: String, _ code: Int32) -> Failure {
        Failure(path: path, reason: SystemError(code).description, isAbsent: code == ENOENT || code == ENOTDIR)
    }
}
