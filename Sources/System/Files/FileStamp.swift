import CPlatform
import Glibc

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
