import Cryptography
import Synchronization
import System
import Text

/// The objects: each is one file that appears, is replaced and disappears in one step.
final class ObjectFiles: Sendable {
    private let directory: StoreDirectory
    private let cleanup: Cleanup
    /// Held while a name is looked at and given or taken, never while the disk is waited for.
    private let names = Mutex(())

    init(_ directory: StoreDirectory, _ cleanup: Cleanup) {
        self.directory = directory
        self.cleanup = cleanup
    }

    /// A file to write an object or a part to.
    func newFile() throws(S3Error) -> IncomingFile {
        try IncomingFile(in: directory.incoming, cleanup)
    }

    /// The object; nil when there is none. One that is damaged is a failure.
    func object(bucket: [UInt8], key: [UInt8]) throws(S3Error) -> StoredFile? {
        let (folder, name) = try place(bucket, key)
        return try Self.object(name, in: folder, bucket, key)
    }

    private static func object(
        _ name: String, in folder: Directory, _ bucket: [UInt8], _ key: [UInt8]
    ) throws(S3Error) -> StoredFile? {
        guard let object = try StoredFile(name, in: folder) else { return nil }
        // Somebody has moved files about.
        guard object.footer.bucket == bucket, object.footer.key == key else { throw .damagedFile }
        return object
    }

    /// Holds conditions against what is there now; they count again when the object is placed.
    func check(_ conditions: WriteConditions, bucket: [UInt8], key: [UInt8]) throws(S3Error) {
        guard conditions.isConditional else { return }
        try conditions.check(try object(bucket: bucket, key: key)?.footer.entityTag, key: key)
    }

    /// Makes a written file the object. What this returns from stays, whatever happens to the process.
    func place(_ file: IncomingFile, _ footer: ObjectFooter, if conditions: WriteConditions) throws(S3Error) {
        try file.seal(footer)
        let (folder, name) = try place(footer.bucket, footer.key)
        try names.withLock { _ throws(S3Error) in
            if conditions.mustMatch != nil {
                let old = try Self.object(name, in: folder, footer.bucket, footer.key)
                try conditions.check(old?.footer.entityTag, key: footer.key)
            }
            let isPlaced = try answeringFailures { () throws(SystemError) in
                guard conditions.mustBeAbsent else {
                    try file.move(to: folder, as: name)
                    return true
                }
                return try file.link(to: folder, as: name)
            }
            guard isPlaced else { throw .preconditionFailed("If-None-Match") }
        }
        try answeringFailures { () throws(SystemError) in try folder.sync() }
    }

    /// Removes the object; none is as good.
    func remove(bucket: [UInt8], key: [UInt8], if conditions: WriteConditions) throws(S3Error) {
        let (folder, name) = try place(bucket, key)
        try names.withLock { _ throws(S3Error) in
            if conditions.mustMatch != nil {
                try conditions.check(try Self.object(name, in: folder, bucket, key)?.footer.entityTag, key: key)
            }
            try answeringFailures { () throws(SystemError) in
                do throws(SystemError) {
                    try folder.remove(name)
                } catch {
                    if !error.isAbsence { throw error }
                }
            }
        }
        try answeringFailures { () throws(SystemError) in try folder.sync() }
    }

    /// Folder and file name: a digest, so that any key is a safe name and no two are in each other's way.
    private func place(_ bucket: [UInt8], _ key: [UInt8]) throws(S3Error) -> (Directory, String) {
        let digest = SHA256.hash(bucket + [UInt8(ascii: "/")] + key).bytes
        let folder = try answeringFailures { () throws(SystemError) in
            try directory.objects.directory(Hexadecimal.encode([digest[0]]))
        }
        return (folder, Hexadecimal.encode(Array(digest.dropFirst())))
    }
}
