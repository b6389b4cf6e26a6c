import System
import Text

/// The directory of a store, and what lies in it:
///
/// ```
/// presign-local-storage    says whose directory this is
/// credentials              the credentials, as an AWS shared file
/// api-key                  the hash of an API key of the service beside the store, where that has made one
/// objects/ab/cdef...       one file for each object, named by the SHA-256 of bucket and key
/// uploads/ID/              an upload in parts: meta and part-00001...
/// incoming/                what is being written; emptied at every start
/// ```
///
/// Names are digests and random numbers, so no key can lead out of it, and none can be in another's way.
final class StoreDirectory: Sendable {
    static let marker = "presign-local-storage"
    static let markerContent = Array("presign local storage 1\n".utf8)

    /// The description of an upload in its directory: a footer without content.
    static let uploadDescription = "meta"

    let path: String
    let root: Directory
    let objects: Directory
    let uploads: Directory
    let incoming: Directory

    /// Opens, locks and tidies the directory.
    init(_ path: String) throws(LocalStoreError) {
        self.path = path
        do throws(SystemError) {
            root = try Directory(path: path)
        } catch {
            throw LocalStoreError(
                description: "cannot use the storage directory \(path): \(error); name a directory that this user may "
                    + "write to, in one that exists")
        }
        do {
            try OwnershipCheck.check(path, try root.status())
            try Self.claim(root, path)
            objects = try Self.folder("objects", in: root, path)
            uploads = try Self.folder("uploads", in: root, path)
            incoming = try Self.folder("incoming", in: root, path)
            try tidy()
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

    /// Makes sure that nobody else uses the directory, and that it is ours: what is in `incoming` will be removed.
    private static func claim(_ root: Directory, _ path: String) throws {
        guard try root.lock() else {
            throw LocalStoreError(
                description: "the storage directory \(path) is in use by another process; stop that one, or name "
                    + "another directory")
        }
        let names = try root.names()
        if names.contains(marker) {
            let content = try root.openFile(marker).read(at: 0, count: markerContent.count + 1)
            guard content == markerContent else {
                throw LocalStoreError(
                    description: "the storage directory \(path) was written by another version of presign (see its "
                        + "file \(marker)); name another directory")
            }
            return
        }
        // `lost+found` is in every new volume; the other is left by a process that was killed right here.
        let unfinished = marker + ".new"
        guard names.allSatisfy({ $0 == "lost+found" || $0 == unfinished }) else {
            throw LocalStoreError(
                description: "the directory \(path) holds other files; name a new or an empty directory for the storage"
            )
        }
        if names.contains(unfinished) { try root.remove(unfinished) }
        let file = try root.createFile(unfinished)
        try file.write(markerContent.span)
        try file.sync()
        try root.move(unfinished, to: root, as: marker)
        try root.sync()
    }

    /// Removes what a process that was killed has left half done, and makes the folders of the objects.
    ///
    /// In `uploads` only what has the name of one is looked at: anything else is somebody's, and in nobody's way.
    private func tidy() throws {
        for name in try incoming.names() { try clear("incoming", name, in: incoming) }
        for name in try uploads.names() where Self.isUploadID(name.utf8) {
            guard try !isUploadOrForeign(name) else { continue }
            try clear("uploads", name, in: uploads)
        }
        for first in 0...UInt8.max { try objects.makeDirectory(Hexadecimal.encode([first])) }
        try objects.sync()
    }

    /// Whether a text has the form of an upload's id: 32 lower-case hexadecimal digits.
    static func isUploadID(_ text: some Collection<UInt8>) -> Bool {
        text.count == 32 && text.allSatisfy(ASCII.isLowercaseHexadecimal)
    }

    /// False for a folder whose upload never began.
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
                description: "cannot remove \(path)/\(folder)/\(name): \(error); remove it by hand, with all in it")
        }
    }
}
