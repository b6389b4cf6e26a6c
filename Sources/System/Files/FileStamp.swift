import CPlatform
import Glibc

/// What tells one state of a file from another without reading it: where it is stored, its size, and when its content
/// or its entry last changed.
package struct FileStamp: Equatable, Sendable {
    private var device: UInt = 0
    private var inode: UInt = 0
    private var size = 0
    // Seconds and nanoseconds.
    private var modified = SIMD2(0, 0)
    private var changed = SIMD2(0, 0)

    /// The stamp of what stands at `path` now, symbolic links followed; of nothing when nothing can be seen there.
    package init(of path: String) {
        var status = stat()
        // Fills the structure on our stack.
        guard unsafe stat(path, &status) == 0 else { return }
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
        size = Int(status.st_size)
        modified = SIMD2(status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        changed = SIMD2(status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
    }
}
