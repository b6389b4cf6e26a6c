extension Directory {
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
