import Synchronization
import System
import Text

/// Uploads in parts: a directory each, with a description and the parts that have come so far.
final class UploadFiles: Sendable {
    private let directory: StoreDirectory
    private let cleanup: Cleanup
    /// The uploads that are being completed or aborted. Also held while a part is placed or an upload goes, so that no
    /// part gets into a directory that is being removed.
    private let ending = Mutex<Set<String>>([])

    init(_ directory: StoreDirectory, _ cleanup: Cleanup) {
        self.directory = directory
        self.cleanup = cleanup
    }

    /// Begins an upload; the footer says what the object is to be. Returns its id.
    func create(_ footer: ObjectFooter) throws(S3Error) -> String {
        let file = try IncomingFile(in: directory.incoming, cleanup)
        try file.seal(footer)
        return try begin(file)
    }

    /// Makes a sealed description an upload.
    func begin(_ file: IncomingFile) throws(S3Error) -> String {
        let id = try IncomingFile.randomName()
        do throws(SystemError) {
            try directory.uploads.makeDirectory(id)
            let upload = try directory.uploads.directory(id)
            try file.move(to: upload, as: StoreDirectory.uploadDescription)
            try upload.sync()
            try directory.uploads.sync()
        } catch {
            // Nobody learns the id, so nobody could abort it.
            do throws(SystemError) {
                try directory.uploads.removeTree(id)
            } catch {
                cleanup.report("uploads/\(id) was not begun and is left: \(error)")
            }
            throw S3Error(error)
        }
        return id
    }

    /// The upload of that id, which must be to this object.
    func upload(_ id: [UInt8], bucket: [UInt8], key: [UInt8]) throws(S3Error) -> Upload {
        guard StoreDirectory.isUploadID(id) else { throw .noSuchUpload(id) }
        let name = String(decoding: id, as: UTF8.self)
        let folder: Directory
        do throws(SystemError) {
            folder = try directory.uploads.directory(name)
        } catch {
            throw error.isAbsence ? .noSuchUpload(id) : S3Error(error)
        }
        guard let meta = try StoredFile(StoreDirectory.uploadDescription, in: folder), meta.footer.bucket == bucket,
            meta.footer.key == key
        else { throw .noSuchUpload(id) }
        return Upload(id: name, footer: meta.footer, folder: folder)
    }

    /// Adds a part, in place of one of the same number.
    func place(_ file: IncomingFile, _ footer: ObjectFooter, number: Int, of upload: Upload) throws(S3Error) {
        try file.seal(footer)
        try ending.withLock { _ throws(S3Error) in
            // Opened anew: the upload may have ended since the part began to arrive.
            _ = try self.upload(Array(upload.id.utf8), bucket: footer.bucket, key: footer.key)
            try answeringFailures { () throws(SystemError) in
                try file.move(to: upload.folder, as: Upload.partName(number))
            }
        }
        try answeringFailures { () throws(SystemError) in try upload.folder.sync() }
    }

    /// Runs what ends an upload, unless that is happening already.
    func ending<Result>(_ id: [UInt8], _ body: () throws(S3Error) -> Result) throws(S3Error) -> Result {
        let name = String(decoding: id, as: UTF8.self)
        guard ending.withLock({ $0.insert(name).inserted }) else { throw .operationAborted }
        defer { ending.withLock { _ = $0.remove(name) } }
        return try body()
    }

    /// Ends an upload: from one moment to the next it is not there any more. Returns the name its files go under until
    /// they are cleared.
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

    /// Removes the files of an upload that has ended; what is left of them goes at the next start.
    func clear(_ name: String) throws(S3Error) {
        try answeringFailures { () throws(SystemError) in
            try directory.incoming.removeTree(name)
        }
    }
}

/// One upload in parts.
struct Upload: Sendable {
    let id: String
    /// What the object is to be: bucket, key, headers, and of the checksum the algorithm.
    let footer: ObjectFooter
    let folder: Directory

    /// `part-` and at least five digits.
    static func partName(_ number: Int) -> String {
        let digits = "\(number)"
        return "part-" + String(repeating: "0", count: max(0, 5 - digits.utf8.count)) + digits
    }

    /// A part; nil when it has not come.
    func part(_ number: Int) throws(S3Error) -> StoredFile? {
        try StoredFile(Self.partName(number), in: folder)
    }

    /// The numbers of the parts that have come, ascending. What else lies there is no part.
    func partNumbers() throws(S3Error) -> [Int] {
        let names = try answeringFailures { () throws(SystemError) in try folder.names() }
        return names.compactMap { name in
            let digits = name.utf8.dropFirst(5)
            guard let number = Int(decimal: digits.span, in: ContentLimits.partNumbers),
                Self.partName(number) == name
            else { return nil }
            return number
        }.sorted()
    }
}
