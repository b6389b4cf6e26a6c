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
    private var device: UInt = 0
    private var inode: UInt = 0
    private var size = 0
    // Seconds and nanoseconds since 1970.
    private var modified = SIMD2(0, 0)
    private var changed = SIMD2(0, 0)

    /// Creates the stamp of the file at `path`, following symbolic links. All files that cannot be accessed have the
    /// same stamp.
    package init(of path: String) {
        var status = stat()
        // unsafe: the call writes the local structure and reads a copy of the path.
        guard unsafe stat(path, &status) == 0 else { return }
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
        size = Int(status.st_size)
        modified = SIMD2(status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        changed = SIMD2(status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
    }
}
