extension Directory {
    /// Removes a file, or a directory with everything in it; nothing if there is no such entry.
    ///
    /// - Parameters:
    ///   - name: the entry to remove.
    ///   - depth: how many levels of directories it may hold.
    /// - Throws: the error of the first entry that cannot be removed.
    package func removeTree(_ name: String, depth: Int = 8) throws(SystemError) {
        do throws(SystemError) {
            try remove(name)
        } catch {
            if error.isAbsence { return }
            // An entry that cannot be opened as a directory keeps the first error, which says why it remains.
            guard error.isDirectory, depth > 0, let inner = try? directory(name) else { throw error }
            for entry in try inner.names() { try inner.removeTree(entry, depth: depth - 1) }
            try removeDirectory(name)
        }
    }
}
