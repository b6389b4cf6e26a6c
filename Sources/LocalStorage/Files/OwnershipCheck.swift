import System

/// Refuses files and directories that another user owns or may change, because that user could replace the store's
/// credentials or the API key and so gain access.
enum OwnershipCheck {
    /// Checks an open file or directory.
    ///
    /// - Parameters:
    ///   - path: the path for messages.
    ///   - user: the user who runs the process.
    ///   - isSecret: whether to refuse a file that other users may read.
    /// - Throws: `LocalStoreError` that names the path, what is wrong, and the command that fixes it.
    static func check(
        _ path: String, _ status: FileStatus, user: UInt32 = Environment.user, isSecret: Bool = false
    ) throws(LocalStoreError) {
        let fault = fault(of: path, owner: status.owner, permissions: status.permissions, user: user, isSecret)
        if let fault { throw LocalStoreError(description: fault) }
    }

    /// Returns what is wrong and how to fix it; nil if nothing is wrong.
    static func fault(
        of path: String, owner: UInt32, permissions: UInt32, user: UInt32, _ isSecret: Bool
    ) -> String? {
        guard owner == user else {
            return "\(path) belongs to user \(owner), but presign runs as user \(user), so its content may be forged; "
                + "use another directory for the storage, or if you trust it, run: chown \(user) \(path)"
        }
        if isSecret, permissions & 0o077 != 0 {
            return "\(path) can be read or changed by users other than its owner; run: chmod 600 \(path)"
        }
        guard permissions & 0o022 == 0 else {
            return "\(path) can be changed by users other than its owner; run: chmod go-w \(path)"
        }
        return nil
    }
}

extension Directory {
    /// Opens a file that contains a secret of the store.
    ///
    /// - Parameter path: the path of this directory, for messages.
    /// - Throws: `LocalStoreError` if another user owns the file or may read or change it, and for a symbolic link;
    ///   `SystemError` if it cannot be opened.
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
