import Cryptography
import Synchronization
import System
import Text

/// The stored objects. Each is one file, which is created, replaced and removed atomically.
final class ObjectFiles: Sendable {
    private let directory: StoreDirectory
    private let cleanup: Cleanup
    /// Makes checking a condition and changing the name atomic, and holds the index of the names once a listing has
    /// built it. Not held while waiting for the disk to sync.
    private let names = Mutex<ObjectIndex?>(nil)

    init(_ directory: StoreDirectory, _ cleanup: Cleanup) {
        self.directory = directory
        self.cleanup = cleanup
    }

    /// Creates a file for the content of an object or a part.
    func newFile() throws(S3Error) -> IncomingFile {
        try IncomingFile(in: directory.incoming, cleanup)
    }

    /// Returns the object; nil if it does not exist. Throws if it is damaged.
    func object(bucket: [UInt8], key: [UInt8]) throws(S3Error) -> StoredFile? {
        let (folder, name) = try location(bucket, key)
        return try Self.object(name, in: folder, bucket, key)
    }

    private static func object(
        _ name: String, in folder: Directory, _ bucket: [UInt8], _ key: [UInt8]
    ) throws(S3Error) -> StoredFile? {
        guard let object = try StoredFile(name, in: folder) else { return nil }
        // Another program has renamed files in the directory.
        guard object.footer.bucket == bucket, object.footer.key == key else { throw .damagedFile }
        return object
    }

    /// Checks conditions against the current object. `place` checks them again.
    func check(_ conditions: WriteConditions, bucket: [UInt8], key: [UInt8]) throws(S3Error) {
        guard conditions.isConditional else { return }
        try conditions.check(try object(bucket: bucket, key: key)?.footer.entityTag, key: key)
    }

    /// Makes a written file the object. The object is durable when this returns.
    func place(_ file: IncomingFile, _ footer: ObjectFooter, if conditions: WriteConditions) throws(S3Error) {
        try file.seal(footer)
        let (folder, name) = try location(footer.bucket, footer.key)
        try names.withLock { index throws(S3Error) in
            if conditions.mustMatch != nil {
                let old = try Self.object(name, in: folder, footer.bucket, footer.key)
                try conditions.check(old?.footer.entityTag, key: footer.key)
            }
            if !conditions.mustBeAbsent {
                try mappingSystemErrors(try file.move(to: folder, as: name))
            } else if try !mappingSystemErrors(try file.link(to: folder, as: name)) {
                throw .preconditionFailed("If-None-Match")
            }
            index?.insert(footer)
        }
        try mappingSystemErrors(try folder.sync())
    }

    /// Removes the object. Succeeds if it does not exist. The removal is durable when this returns.
    func remove(bucket: [UInt8], key: [UInt8], if conditions: WriteConditions) throws(S3Error) {
        let (folder, name) = try location(bucket, key)
        try unlink(name, in: folder, bucket, key, if: conditions)
        try mappingSystemErrors(try folder.sync())
    }

    /// Removes objects. The removals are durable when this returns.
    ///
    /// - Returns: for each object why it could not be removed; nil if it is removed or did not exist.
    func remove(bucket: [UInt8], _ objects: [DeleteList.Object]) throws(S3Error) -> [S3Error?] {
        var folders: [UInt8: Directory] = [:]
        var failures: [S3Error?] = []
        for (key, conditions) in objects {
            do throws(S3Error) {
                let (folder, name) = try location(bucket, key)
                folders[Self.digest(bucket, key)[0]] = folder
                try unlink(name, in: folder, bucket, key, if: conditions)
                failures.append(nil)
            } catch {
                failures.append(error)
            }
        }
        for folder in folders.values { try mappingSystemErrors(try folder.sync()) }
        return failures
    }

    private func unlink(
        _ name: String, in folder: Directory, _ bucket: [UInt8], _ key: [UInt8], if conditions: WriteConditions
    ) throws(S3Error) {
        try names.withLock { index throws(S3Error) in
            if conditions.mustMatch != nil {
                try conditions.check(try Self.object(name, in: folder, bucket, key)?.footer.entityTag, key: key)
            }
            do throws(SystemError) {
                try folder.remove(name)
            } catch {
                if !error.isAbsence { throw S3Error(error) }
            }
            index?.remove(bucket: bucket, key: key)
        }
    }

    /// Returns a page of a listing. The first call reads the footers of all objects: about 0.2 s for 10,000.
    func page(_ query: ListQuery, in bucket: [UInt8]) throws(S3Error) -> ListPage<ObjectIndex.Entry> {
        try names.withLock { index throws(S3Error) in
            let current = if let index { index } else { ObjectIndex(try storedFooters()) }
            index = current
            return current.page(query, in: bucket)
        }
    }

    /// Returns the footers of all objects. Damaged and foreign files are omitted, because they are not served either.
    private func storedFooters() throws(S3Error) -> [ObjectFooter] {
        var footers: [ObjectFooter] = []
        for first in 0...UInt8.max {
            let folder = try mappingSystemErrors(try directory.objects.directory(Hexadecimal.encode([first])))
            let names = try mappingSystemErrors(try folder.names())
            for name in names {
                do throws(S3Error) {
                    guard var footer = try StoredFile(name, in: folder)?.footer else { continue }
                    // A listing does not show it, and it can take 80 kB.
                    footer.completion = nil
                    let digest = Self.digest(footer.bucket, footer.key)
                    if digest[0] == first, Hexadecimal.encode(Array(digest.dropFirst())) == name {
                        footers.append(footer)
                    }
                } catch {
                    if error.status == S3Error.slowDown.status { throw error }
                }
            }
        }
        return footers
    }

    private static func digest(_ bucket: [UInt8], _ key: [UInt8]) -> [UInt8] {
        SHA256.hash(bucket + [UInt8(ascii: "/")] + key).bytes
    }

    /// Returns the directory and file name of an object. They are a digest, so every key gives a valid name and no key
    /// is a directory of another.
    private func location(_ bucket: [UInt8], _ key: [UInt8]) throws(S3Error) -> (Directory, String) {
        let digest = Self.digest(bucket, key)
        let folder = try mappingSystemErrors(try directory.objects.directory(Hexadecimal.encode([digest[0]])))
        return (folder, Hexadecimal.encode(Array(digest.dropFirst())))
    }
}
