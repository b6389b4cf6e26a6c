import Presigning
import Synchronization
import System
import Text

/// The multipart uploads. Each is a directory with a description and the parts received so far.
final class UploadFiles: Sendable {
    private let directory: StoreDirectory
    private let cleanup: Cleanup
    /// The uploads that are being completed or aborted. The lock is also held while a part is placed or an upload is
    /// moved away, so that no part enters a directory that is being removed.
    private let ending = Mutex<Set<String>>([])

    init(_ directory: StoreDirectory, _ cleanup: Cleanup) {
        self.directory = directory
        self.cleanup = cleanup
    }

    /// Creates an upload of the object that the footer describes. Returns its id.
    func create(_ footer: ObjectFooter) throws(S3Error) -> String {
        let file = try IncomingFile(in: directory.incoming, cleanup)
        try file.seal(footer)
        return try begin(file)
    }

    /// Creates an upload from its sealed description. Returns its id.
    func begin(_ file: IncomingFile) throws(S3Error) -> String {
        let id = try IncomingFile.randomName()
        do throws(SystemError) {
            try directory.uploads.makeDirectory(id)
            let upload = try directory.uploads.directory(id)
            try file.move(to: upload, as: StoreDirectory.uploadDescription)
            try upload.sync()
            try directory.uploads.sync()
        } catch {
            // The client does not learn the id and so cannot abort the upload.
            do throws(SystemError) {
                try directory.uploads.removeTree(id)
            } catch {
                cleanup.report("cannot remove the incomplete upload uploads/\(id): \(error); remove it by hand")
            }
            throw S3Error(error)
        }
        return id
    }

    /// Returns the upload with this id. Throws `NoSuchUpload` if it does not exist or is for another object.
    func upload(_ id: [UInt8], bucket: [UInt8], key: [UInt8]) throws(S3Error) -> Upload {
        guard StoreDirectory.isUploadID(id), let upload = try open(String(decoding: id, as: UTF8.self)),
            upload.footer.bucket == bucket, upload.footer.key == key
        else { throw .noSuchUpload(id) }
        return upload
    }

    /// Opens an upload; nil if it does not exist. Throws if its description is damaged.
    private func open(_ id: String) throws(S3Error) -> Upload? {
        let folder: Directory
        do throws(SystemError) {
            folder = try directory.uploads.directory(id)
        } catch {
            guard error.isAbsence else { throw S3Error(error) }
            return nil
        }
        guard let meta = try StoredFile(StoreDirectory.uploadDescription, in: folder) else { return nil }
        return Upload(id: id, footer: meta.footer, folder: folder)
    }

    /// Returns the uploads to a bucket in any order. Damaged ones are omitted, because they cannot be used either.
    func list(bucket: [UInt8]) throws(S3Error) -> [ListedUpload] {
        let names = try mappingSystemErrors(try directory.uploads.names())
        var found: [ListedUpload] = []
        for name in names where StoreDirectory.isUploadID(name.utf8) {
            do throws(S3Error) {
                guard let footer = try open(name)?.footer, footer.bucket == bucket else { continue }
                found.append(ListedUpload(id: Array(name.utf8), footer: footer))
            } catch {
                if error.status == S3Error.slowDown.status { throw error }
            }
        }
        return found
    }

    /// Adds a part, and replaces an existing part with the same number.
    func place(_ file: IncomingFile, _ footer: ObjectFooter, number: Int, of upload: Upload) throws(S3Error) {
        try file.seal(footer)
        try ending.withLock { _ throws(S3Error) in
            // The upload may have ended since the part began to arrive.
            _ = try self.upload(Array(upload.id.utf8), bucket: footer.bucket, key: footer.key)
            try mappingSystemErrors(try file.move(to: upload.folder, as: Upload.partName(number)))
        }
        try mappingSystemErrors(try upload.folder.sync())
    }

    /// Runs `body`, which completes or aborts an upload. Throws if that is already in progress.
    func ending<Result>(_ id: [UInt8], _ body: () throws(S3Error) -> Result) throws(S3Error) -> Result {
        let name = String(decoding: id, as: UTF8.self)
        guard ending.withLock({ $0.insert(name).inserted }) else { throw .operationAborted }
        defer { ending.withLock { _ = $0.remove(name) } }
        return try body()
    }

    /// Removes an upload atomically by moving it to `incoming`. Returns its name there, for `clear`.
    func end(_ upload: Upload) throws(S3Error) -> String {
        let name = try IncomingFile.randomName()
        do throws(SystemError) {
            try ending.withLock { _ throws(SystemError) in
                try directory.uploads.move(upload.id, to: directory.incoming, as: name)
            }
            try directory.uploads.sync()
        } catch {
            throw error.isAbsence ? .noSuchUpload(Array(upload.id.utf8)) : S3Error(error)
        }
        return name
    }

    /// Deletes the files of an upload that has ended. If that fails, the next start deletes the rest.
    func clear(_ name: String) throws(S3Error) {
        try mappingSystemErrors(try directory.incoming.removeTree(name))
    }
}

/// One multipart upload.
struct Upload: Sendable {
    let id: String
    /// The bucket, key, headers and checksum algorithm of the object to be created.
    let footer: ObjectFooter
    let folder: Directory

    /// Returns the file name of a part: `part-` and at least five digits.
    static func partName(_ number: Int) -> String {
        let digits = "\(number)"
        return "part-" + String(repeating: "0", count: max(0, 5 - digits.utf8.count)) + digits
    }

    /// Returns a part; nil if it has not been received.
    func part(_ number: Int) throws(S3Error) -> StoredFile? {
        try StoredFile(Self.partName(number), in: folder)
    }

    /// Returns the numbers of the received parts in ascending order. Other files in the directory are ignored.
    func partNumbers() throws(S3Error) -> [Int] {
        let names = try mappingSystemErrors(try folder.names())
        return names.compactMap { name in
            let digits = name.utf8.dropFirst(5)
            guard let number = Int(decimal: digits.span, in: S3Limits.partNumbers),
                Self.partName(number) == name
            else { return nil }
            return number
        }.sorted()
    }
}

/// An upload as a listing shows it.
struct ListedUpload: Sendable {
    let id: [UInt8]
    /// The bucket, key, headers and checksum algorithm of the object to be created.
    let footer: ObjectFooter
}

extension ListPage<ListedUpload> {
    /// Creates a page of the uploads whose keys begin with the prefix of the query, by key and id.
    ///
    /// - Parameters:
    ///   - uploads: those of one bucket, in any order.
    ///   - marker: the id after which the uploads to the key `query.marker` are listed; nil to omit them.
    init(of uploads: [ListedUpload], _ query: ListQuery, after marker: [UInt8]?) {
        let sorted = uploads.filter { $0.footer.key.starts(with: query.prefix) }.sorted { first, second in
            first.footer.key == second.footer.key
                ? first.id.lexicographicallyPrecedes(second.id)
                : first.footer.key.lexicographicallyPrecedes(second.footer.key)
        }
        for upload in sorted {
            let key = upload.footer.key
            let group = query.group(of: key)
            if let start = query.marker {
                let follows = marker?.lexicographicallyPrecedes(upload.id) ?? false
                guard start.lexicographicallyPrecedes(key) || (start == key && follows) else { continue }
            }
            // The group is on this page, or the page before ended with it.
            if let group, group == groups.last || group == query.marker { continue }
            guard count < query.maxKeys else {
                isTruncated = query.maxKeys > 0
                break
            }
            if let group { append(group) } else { append(upload, named: key) }
        }
    }
}
