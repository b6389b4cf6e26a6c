package import System
import Text

/// The directory of a store:
///
/// ```
/// presign-local-storage    marks the directory as a store and states its version
/// credentials              the credentials, as an AWS shared credentials file
/// api-key, share-key       secrets of the embedding service, if any
/// objects/ab/cdef...       one file for each object, named by the SHA-256 of bucket and key
/// uploads/ID/              a multipart upload: meta and part-00001...
/// incoming/                files that are being written; emptied at every start
/// ```
///
/// File names are digests and random numbers, so no key can name a path outside the directory or conflict with another.
final class StoreDirectory: Sendable {
    static let marker = "presign-local-storage"
    static let markerContent = Array("presign local storage 1\n".utf8)

    /// The file in an upload's directory that describes it: a footer without content.
    static let uploadDescription = "meta"

    let path: String
    let root: Directory
    let objects: Directory
    let uploads: Directory
    let incoming: Directory

    /// Opens, locks and cleans up the directory.
    init(_ path: String) throws(LocalStoreError) {
        self.path = path
        do throws(SystemError) {
            root = try Directory(path: path)
        } catch {
            throw LocalStoreError(
                description: "cannot use the storage directory \(path): \(error); choose a directory that this user "
                    + "can write to and whose parent exists")
        }
        do {
            try OwnershipCheck.check(path, try root.status())
            try Self.claim(root, path)
            objects = try Self.folder("objects", in: root, path)
            uploads = try Self.folder("uploads", in: root, path)
            incoming = try Self.folder("incoming", in: root, path)
            try cleanUp()
            try root.sync()
        } catch let error as LocalStoreError {
            throw error
        } catch {
            throw LocalStoreError(description: "cannot use the storage directory \(path): \(error)")
        }
    }

    private static func folder(_ name: String, in root: Directory, _ path: String) throws -> Directory {
        try root.makeDirectory(name)
        let folder = try root.directory(name)
        try OwnershipCheck.check("\(path)/\(name)", try folder.status())
        return folder
    }

    /// Locks the directory and checks that it is empty or a store, because opening a store deletes files in `incoming`.
    private static func claim(_ root: Directory, _ path: String) throws {
        guard try root.lock() else {
            throw LocalStoreError(
                description: "the storage directory \(path) is in use by another process; stop that process, or choose "
                    + "another directory")
        }
        let names = try root.names()
        if names.contains(marker) {
            let content = try root.openFile(marker).read(at: 0, count: markerContent.count + 1)
            guard content == markerContent else {
                throw LocalStoreError(
                    description: "the storage directory \(path) was written by another version of presign (see its "
                        + "file \(marker)); choose another directory")
            }
            return
        }
        // `lost+found` is in every new volume. A process that was killed below leaves the unfinished marker.
        let unfinished = marker + ".new"
        guard names.allSatisfy({ $0 == "lost+found" || $0 == unfinished }) else {
            throw LocalStoreError(
                description: "the directory \(path) holds other files; choose a new or empty directory for the storage")
        }
        if names.contains(unfinished) { try root.remove(unfinished) }
        let file = try root.createFile(unfinished)
        try file.write(markerContent.span)
        try file.sync()
        try root.move(unfinished, to: root, as: marker)
        try root.sync()
    }

    /// Removes the unfinished files of a process that was killed, and creates the directories for objects.
    ///
    /// In `uploads` it considers only names with the form of an upload id. Other files belong to the user and do no
    /// harm.
    private func cleanUp() throws {
        for name in try incoming.names() { try clear("incoming", name, in: incoming) }
        for name in try uploads.names() where Self.isUploadID(name.utf8) {
            guard try !isUploadOrForeign(name) else { continue }
            try clear("uploads", name, in: uploads)
        }
        for first in 0...UInt8.max { try objects.makeDirectory(Hexadecimal.encode([first])) }
        try objects.sync()
    }

    /// Whether a text has the form of an upload id: 32 lower-case hexadecimal digits.
    static func isUploadID(_ text: some Collection<UInt8>) -> Bool {
        text.count == 32 && text.allSatisfy(ASCII.isLowercaseHexadecimal)
    }

    /// Whether to keep an entry of `uploads`. False only for the directory of an upload that was never completely
    /// created.
    private func isUploadOrForeign(_ name: String) throws(SystemError) -> Bool {
        do throws(SystemError) {
            return try uploads.directory(name).names().contains(Self.uploadDescription)
        } catch {
            guard error.isAbsence else { throw error }
            return true
        }
    }

    private func clear(_ folder: String, _ name: String, in directory: Directory) throws(LocalStoreError) {
        do throws(SystemError) {
            try directory.removeTree(name)
        } catch {
            throw LocalStoreError(
                description: "cannot remove \(path)/\(folder)/\(name): \(error); remove it and its content by hand")
        }
    }
}

/// Why a local store cannot be opened. One line that names the path and the fix and contains no secret.
package struct LocalStoreError: Error, CustomStringConvertible, Sendable {
    /// The message for the operator.
    package let description: String
}

/// Refuses files and directories that another user owns or may change, because that user could replace the store's
/// credentials or the service's keys and so gain access.
enum OwnershipCheck {
    /// Checks an open file or directory.
    ///
    /// - Parameters:
    ///   - path: the path for messages.
    ///   - isSecret: whether to refuse a file that other users may read.
    /// - Throws: `LocalStoreError` that names the path, what is wrong, and the command that fixes it.
    static func check(_ path: String, _ status: FileStatus, isSecret: Bool = false) throws(LocalStoreError) {
        let (owner, permissions) = (status.owner, status.permissions)
        let fault = fault(of: path, owner: owner, permissions: permissions, user: Environment.user, isSecret)
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
    /// Opens a file of a store's directory that contains a secret.
    ///
    /// - Parameter path: the path of this directory, for messages.
    /// - Throws: `LocalStoreError` if another user owns the file or may read or change it, and for a symbolic link;
    ///   `SystemError` if it cannot be opened.
    package func openSecret(_ name: String, in path: String) throws -> OpenFile {
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
