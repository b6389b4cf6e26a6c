import CryptoHashing
import SystemInterface

/// The directory of a store, and what lies in it:
///
/// ```
/// presign-local-storage    says whose directory this is
/// credentials              the credentials, as an AWS shared file
/// objects/ab/cdef...       one file for each object, named by the SHA-256 of bucket and key
/// uploads/ID/              an upload in parts: meta and part-00001...
/// incoming/                what is being written; emptied at every start
/// ```
///
/// Names are digests and random numbers, so no key can lead out of it, and none can be in another's way.
final class StoreDirectory: Sendable {
    static let marker = "presign-local-storage"
    static let markerContent = Array("presign local storage 1\n".utf8)

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
            try Self.claim(root, path)
            for name in ["objects", "uploads", "incoming"] { try root.makeDirectory(name) }
            (objects, uploads) = (try root.directory("objects"), try root.directory("uploads"))
            incoming = try root.directory("incoming")
            try tidy()
            try root.sync()
        } catch let error as LocalStoreError {
            throw error
        } catch {
            throw LocalStoreError(description: "cannot use the storage directory \(path): \(error)")
        }
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
    private func tidy() throws(SystemError) {
        for name in try incoming.names() { try Self.removeTree(name, in: incoming) }
        for name in try uploads.names() where !(try uploads.directory(name).names().contains(UploadFiles.meta)) {
            try Self.removeTree(name, in: uploads)
        }
        for first in 0...UInt8.max { try objects.makeDirectory(Hexadecimal.encode([first])) }
        try objects.sync()
    }

    /// Removes a file, or a directory with the files in it.
    static func removeTree(_ name: String, in directory: Directory) throws(SystemError) {
        do throws(SystemError) {
            try directory.remove(name)
        } catch {
            guard error.isDirectory else { throw error }
            let inner = try directory.directory(name)
            for name in try inner.names() { try inner.remove(name) }
            try directory.removeDirectory(name)
        }
    }
}
