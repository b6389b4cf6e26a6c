import CPlatform
import Glibc

/// An open directory. All operations are relative to its descriptor, so they cannot escape it.
///
/// Names are single path components. Symbolic links are not followed. Files are created with mode 0600, directories
/// with 0700.
// unsafe, in this file: each C string is NUL-terminated by Swift and read only during the call.
package final class Directory: Sendable {
    private let descriptor: Int32

    /// Opens the directory at `path`, and creates it if it does not exist.
    package convenience init(path: String) throws(SystemError) {
        if unsafe mkdir(path, 0o700) != 0, errno != EEXIST { throw SystemError(errno) }
        try self.init(existing: path)
    }

    /// Opens the directory at `path`, which must exist.
    package init(existing path: String) throws(SystemError) {
        descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError(errno) }
    }

    private init(owning descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Returns the directory's current owner and permissions.
    package func status() throws(SystemError) -> FileStatus { try FileStatus(of: descriptor) }

    /// Locks the directory for this process until this object closes it. False if another process holds the lock.
    package func lock() throws(SystemError) -> Bool {
        if presign_lock_exclusively(descriptor) == 0 { return true }
        guard errno == EWOULDBLOCK else { throw SystemError(errno) }
        return false
    }

    /// Creates a directory unless it exists.
    package func makeDirectory(_ name: String) throws(SystemError) {
        if unsafe mkdirat(descriptor, name, 0o700) != 0, errno != EEXIST { throw SystemError(errno) }
    }

    /// Opens a directory in this one.
    package func directory(_ name: String) throws(SystemError) -> Directory {
        let opened = unsafe openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard opened >= 0 else { throw SystemError(errno) }
        return Directory(owning: opened)
    }

    /// Creates a file for reading and writing; throws `EEXIST` if it exists.
    ///
    /// - Parameter afterClosing: called once, after the file's descriptor is closed.
    package func createFile(
        _ name: String, afterClosing: (@Sendable () -> Void)? = nil
    ) throws(SystemError) -> OpenFile {
        let opened = unsafe openat(descriptor, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw SystemError(errno) }
        return try OpenFile(owning: opened, afterClosing: afterClosing)
    }

    /// Opens a regular file for reading.
    package func openFile(_ name: String) throws(SystemError) -> OpenFile {
        // Non-blocking, so a FIFO in place of the file cannot hang the process.
        let opened = unsafe openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard opened >= 0 else { throw SystemError(errno) }
        return try OpenFile(owning: opened)
    }

    /// Moves a file or directory. Replaces a file with the new name atomically.
    package func move(_ name: String, to target: Directory, as newName: String) throws(SystemError) {
        guard unsafe renameat(descriptor, name, target.descriptor, newName) == 0 else { throw SystemError(errno) }
    }

    /// Creates a hard link to a file; throws `EEXIST` if the new name exists.
    package func link(_ name: String, to target: Directory, as newName: String) throws(SystemError) {
        guard unsafe linkat(descriptor, name, target.descriptor, newName, 0) == 0 else { throw SystemError(errno) }
    }

    /// Removes a file.
    package func remove(_ name: String) throws(SystemError) {
        guard unsafe unlinkat(descriptor, name, 0) == 0 else { throw SystemError(errno) }
    }

    /// Removes an empty directory.
    package func removeDirectory(_ name: String) throws(SystemError) {
        guard unsafe unlinkat(descriptor, name, AT_REMOVEDIR) == 0 else { throw SystemError(errno) }
    }

    /// Returns the names of all entries except `.` and `..`, unordered.
    package func names() throws(SystemError) -> [String] {
        // A new descriptor, because the stream takes ownership of it and changes its position.
        let opened = unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { throw SystemError(errno) }
        guard let stream = unsafe fdopendir(opened) else {
            let code = errno
            close(opened)
            throw SystemError(code)
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        // unsafe: the name is copied before the next call overwrites it.
        while let name = unsafe presign_next_name(UnsafeMutableRawPointer(stream)) {
            let text = unsafe String(cString: name)
            if text != ".", text != ".." { names.append(text) }
        }
        guard errno == 0 else { throw SystemError(errno) }
        return names
    }

    /// Waits until changes to the directory's entries are on disk.
    package func sync() throws(SystemError) {
        guard fsync(descriptor) == 0 else { throw SystemError(errno) }
    }

    /// Removes a file, or a directory with its contents. Does nothing if the entry does not exist.
    ///
    /// - Parameters:
    ///   - name: the entry to remove.
    ///   - depth: the most levels of directories inside it.
    /// - Throws: the error of the first entry that cannot be removed.
    package func removeTree(_ name: String, depth: Int = 8) throws(SystemError) {
        do throws(SystemError) {
            try remove(name)
        } catch {
            if error.isAbsence { return }
            // If the entry cannot be opened as a directory, the error of its removal is the one to report.
            guard error.isDirectory, depth > 0, let inner = try? directory(name) else { throw error }
            for entry in try inner.names() { try inner.removeTree(entry, depth: depth - 1) }
            try removeDirectory(name)
        }
    }
}
