import System

/// Refuses files and directories that another user has made or may change: who writes the store's credentials or the
/// hash of its API key can use the store.
enum OwnershipCheck {
    /// Checks an open file or directory.
    ///
    /// - Parameters:
    ///   - path: its name in messages.
    ///   - user: who runs the process.
    ///   - isSecret: whether other users must not read it either.
    /// - Throws: `LocalStoreError` that names the path, what is wrong, and the command that fixes it.
    static func check(
        _ path: String, _ status: FileStatus, user: UInt32 = Environment.user, isSecret: Bool = false
    ) throws(LocalStoreError) {
        let fault = fault(of: path, owner: status.owner, permissions: status.permissions, user: user, isSecret)
        if let fault { throw LocalStoreError(description: fault) }
    }

    /// What is wrong and the fix; nil if nothing is.
    static func fault(
        of path: String, owner: UInt32, permissions: UInt32, user: UInt32, _ isSecret: Bool
    ) -> String? {
        guard owner == user else {
            return "\(path) belongs to user \(owner), but presign runs as user \(user), so its content may be forged; "
                + "name another directory for the storage, or if you trust it, run: chown \(user) \(path)"
        }
        if isSecret, permissions & 0o077 != 0 {
            return "\(path) can be read or changed by others than its owner; run: chmod 600 \(path)"
        }
        guard permissions & 0o022 == 0 else {
            return "\(path) can be changed by others than its owner; run: chmod go-w \(path)"
        }
        return nil
    }
}

extension Directory {
    /// Opens a file with a secret of the store.
    ///
    /// - Parameter path: the path of this directory in messages.
    /// - Throws: `LocalStoreError` for a file that another user may read or have written, and for a symbolic link;
    ///   `SystemError`.
    func openSecret(_ name: String, in path: String) throws -> OpenFile {
        let path = "\(path)/\(name)"
        do {
            let file = try openFile(name)
            try OwnershipCheck.check(path, try file.status(), isSecret: true)
            return file
        } catch let error as SystemError where error.isSymbolicLink {
            throw LocalStoreError(description: "\(path) is a symbolic link, which is not followed; run: rm \(path)")
        }
    }
}
