import CPlatform
import Glibc

/// An open directory; whatever is done in it goes by its descriptor, so nothing can lead out of it.
///
/// Names are single components. A symbolic link is never followed, files are made with mode 0600, directories 0700.
package final class Directory: Sendable {
    private let descriptor: Int32

    /// Opens the directory at `path`, and makes it first when there is none.
    package convenience init(path: String) throws(SystemError) {
        // unsafe: the text is ended by the bridge and read within the call.
        if unsafe mkdir(path, 0o700) != 0, errno != EEXIST { throw SystemError(errno) }
        try self.init(existing: path)
    }

    /// Opens the directory at `path`, which must exist.
    package init(existing path: String) throws(SystemError) {
        // unsafe: as above.
        descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError(errno) }
    }

    private init(owning descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Owner and permissions as they are now.
    package func status() throws(SystemError) -> FileStatus { try FileStatus(of: descriptor) }

    /// Locks the directory for this process until it is closed; false when another one has it.
    package func lock() throws(SystemError) -> Bool {
        if presign_lock_exclusively(descriptor) == 0 { return true }
        guard errno == EWOULDBLOCK else { throw SystemError(errno) }
        return false
    }

    /// Makes a directory; one that is there already is no error.
    package func makeDirectory(_ name: String) throws(SystemError) {
        // unsafe: the name is ended by the bridge and read within the call.
        if unsafe mkdirat(descriptor, name, 0o700) != 0, errno != EEXIST { throw SystemError(errno) }
    }

    /// Opens a directory in this one.
    package func directory(_ name: String) throws(SystemError) -> Directory {
        // unsafe: as above.
        let opened = unsafe openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard opened >= 0 else { throw SystemError(errno) }
        return Directory(owning: opened)
    }

    /// Makes a file that was not there, for reading and writing.
    ///
    /// - Parameter afterClosing: runs once, when the last reference to the file is gone and its descriptor closed.
    package func createFile(
        _ name: String, afterClosing: (@Sendable () -> Void)? = nil
    ) throws(SystemError) -> OpenFile {
        // unsafe: as above.
        let opened = unsafe openat(descriptor, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw SystemError(errno) }
        return try OpenFile(owning: opened, afterClosing: afterClosing)
    }

    /// Opens a regular file for reading.
    package func openFile(_ name: String) throws(SystemError) -> OpenFile {
        // unsafe: as above. Non-blocking, so that a FIFO put in place of a file cannot hang the process.
        let opened = unsafe openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard opened >= 0 else { throw SystemError(errno) }
        return try OpenFile(owning: opened)
    }

    /// Moves a file or directory, replacing a file of the new name in one step.
    package func move(_ name: String, to target: Directory, as newName: String) throws(SystemError) {
        // unsafe: as above.
        guard unsafe renameat(descriptor, name, target.descriptor, newName) == 0 else { throw SystemError(errno) }
    }

    /// Gives a file a second name, unless that name is taken (`EEXIST`).
    package func link(_ name: String, to target: Directory, as newName: String) throws(SystemError) {
        // unsafe: as above.
        guard unsafe linkat(descriptor, name, target.descriptor, newName, 0) == 0 else { throw SystemError(errno) }
    }

    /// Removes a file.
    package func remove(_ name: String) throws(SystemError) {
        // unsafe: as above.
        guard unsafe unlinkat(descriptor, name, 0) == 0 else { throw SystemError(errno) }
    }

    /// Removes an empty directory.
    package func removeDirectory(_ name: String) throws(SystemError) {
        // unsafe: as above.
        guard unsafe unlinkat(descriptor, name, AT_REMOVEDIR) == 0 else { throw SystemError(errno) }
    }

    /// The names of all entries but `.` and `..`, in no order.
    package func names() throws(SystemError) -> [String] {
        // A descriptor of its own: the stream takes it over, and moves its position.
        // unsafe: as above.
        let opened = unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { throw SystemError(errno) }
        guard let stream = unsafe fdopendir(opened) else {
            let code = errno
            close(opened)
            throw SystemError(code)
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        // unsafe: the name is copied before the next call may overwrite it.
        while let name = unsafe presign_next_name(UnsafeMutableRawPointer(stream)) {
            let text = unsafe String(cString: name)
            if text != ".", text != ".." { names.append(text) }
        }
        guard errno == 0 else { throw SystemError(errno) }
        return names
    }

    /// Waits until the names in it are on the disk.
    package func sync() throws(SystemError) {
        guard fsync(descriptor) == 0 else { throw SystemError(errno) }
    }
}
