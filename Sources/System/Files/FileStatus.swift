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
