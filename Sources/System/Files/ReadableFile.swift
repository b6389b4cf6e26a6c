import Glibc

/// A small file read whole: configuration, credentials, key material.
package struct ReadableFile: Sendable {
    /// Why a file could not be read; the text names the path and the mend.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        /// The path as it was given.
        package let path: String
        /// What is wrong, in the system's words.
        package let reason: String
        /// True when nothing stands at that path (ENOENT, ENOTDIR).
        package let isAbsent: Bool

        /// One line that names the path.
        package var description: String { "cannot read \(path): \(reason)" }
    }

    /// Why a file could not be read, for a text that has named it.
    package static func reason(of error: any Error) -> String {
        (error as? Failure).map { "cannot be read: \($0.reason)" } ?? "\(error)"
    }

    /// The whole content of the file at `path`.
    ///
    /// - Parameter limit: the most bytes accepted; a larger file is refused rather than cut.
    package static func contents(of path: String, limit: Int = 1 << 20) throws(Failure) -> [UInt8] {
        // Non-blocking, so that a FIFO put in place of a file cannot hang the start.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure(path, errno) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw failure(path, errno) }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw failure(path, EISDIR) }
        var content: [UInt8] = []
        while true {
            let chunk = try chunk(of: descriptor, at: path)
            if chunk.isEmpty { return content }
            content += chunk
            guard content.count <= limit else {
                throw Failure(path: path, reason: "it is larger than \(limit) bytes", isAbsent: false)
            }
        }
    }

    private static func chunk(of descriptor: Int32, at path: String) throws(Failure) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        do throws(SystemError) {
            let count = try SystemError.retryingOnInterrupt {
                // The pointer is used within the call only and bounded by the array's own count.
                unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            }
            return Array(buffer.prefix(count))
        } catch {
            throw failure(path, error.code)
        }
    }

    private static func failure(_ path: String, _ code: Int32) -> Failure {
        Failure(path: path, reason: SystemError(code).description, isAbsent: code == ENOENT || code == ENOTDIR)
    }
}
