import CPlatform
import Glibc

/// The attributes of an open file or directory.
package struct FileStatus: Sendable {
    /// The size in bytes.
    package let size: Int
    /// The owner's user id.
    package let owner: UInt32
    /// The nine permission bits.
    package let permissions: UInt32
    let isRegularFile: Bool

    package init(of descriptor: Int32) throws(SystemError) {
        var status = stat()
        // unsafe: the call writes the local structure.
        guard unsafe fstat(descriptor, &status) == 0 else { throw SystemError(errno) }
        size = Int(status.st_size)
        owner = status.st_uid
        permissions = status.st_mode & 0o777
        isRegularFile = status.st_mode & S_IFMT == S_IFREG
    }
}

/// Identifies a version of a file without reading it: by its inode, its size, and the times of its last changes.
package struct FileStamp: Equatable, Sendable {
    /// Device, inode, size, and the times of the last changes of content and attributes; empty without access.
    private var attributes: [Int] = []

    /// Creates the stamp of the file at `path`, following symbolic links. All files that cannot be accessed have the
    /// same stamp.
    package init(of path: String) {
        var status = stat()
        // unsafe: the call writes the local structure and reads a copy of the path.
        guard unsafe stat(path, &status) == 0 else { return }
        attributes = [
            Int(truncatingIfNeeded: status.st_dev), Int(truncatingIfNeeded: status.st_ino), Int(status.st_size),
            status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
        ]
    }
}
