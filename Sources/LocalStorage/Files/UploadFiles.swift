import CryptoHashing
import Synchronization
import SystemInterface

/// Uploads in parts: a directory each, with a description and the parts that have come so far.
final class UploadFiles: Sendable {
    /// The description of an upload: a footer without content.
    static let meta = "meta"

    private let directory: StoreDirectory
    /// The uploads that are being completed or aborted. Also held while a part is placed or an upload goes, so that no
    /// part gets into a directory that is being removed.
    private let ending = Mutex<Set<String>>([])

    init(_ directory: StoreDirectory) {
        self.directory = directory
    }

    /// Begins an upload; the footer says what the object is to be. Returns its id.
    func create(_ footer: ObjectFooter) throws(S3Error) -> String {
        let file = try IncomingFile(in: directory.incoming)
        try file.seal(footer)
        let id = try IncomingFile.randomName()
        try answeringFailures { () throws(SystemError) in
            try directory.uploads.makeDirectory(id)
            let upload = try directory.uploads.directory(id)
            try file.move(to: upload, as: Self.meta)
            try upload.sync()
            try directory.uploads.sync()
        }
        return id
    }

    /// The upload of that id, which must be to this object.
    func upload(_ id: [UInt8], bucket: [UInt8], key: [UInt8]) throws(S3Error) -> Upload {
        guard id.count == 32, id.allSatisfy({ 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }) else { throw .noSuchUpload(id) }
        let name = String(decoding: id, as: UTF8.self)
        let folder: Directory
        do throws(SystemError) {
            folder = try directory.uploads.directory(name)
        } catch {
            throw error.isAbsence ? .noSuchUpload(id) : S3Error(error)
        }
        guard let meta = try StoredFile(Self.meta, in: folder), meta.footer.bucket == bucket, meta.footer.key == key
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

    /// Ends an upload: from one moment to the next it is not there any more, then its files go.
    func remove(_ upload: Upload) throws(S3Error) {
        let name = try IncomingFile.randomName()
        do throws(SystemError) {
            try ending.withLock { _ throws(SystemError) in
                try directory.uploads.move(upload.id, to: directory.incoming, as: name)
            }
            try directory.uploads.sync()
            try StoreDirectory.removeTree(name, in: directory.incoming)
        } catch {
            throw error.isAbsence ? .noSuchUpload(Array(upload.id.utf8)) : S3Error(error)
        }
    }
}

/// One upload in parts.
struct Upload: Sendable {
    let id: String
    /// What the object is to be: bucket, key, headers, and of the checksum the algorithm.
    let footer: ObjectFooter
    let folder: Directory

    static func partName(_ number: Int) -> String {
        let digits = "\(number)"
        return "part-" + String(repeating: "0", count: 5 - digits.utf8.count) + digits
    }

    /// A part; nil when it has not come.
    func part(_ number: Int) throws(S3Error) -> StoredFile? {
        try StoredFile(Self.partName(number), in: folder)
    }

    /// The numbers of the parts that have come, ascending.
    func partNumbers() throws(S3Error) -> [Int] {
        let names = try answeringFailures { () throws(SystemError) in try folder.names() }
        return names.compactMap { $0.utf8.starts(with: "part-".utf8) ? decimal($0.utf8.dropFirst(5)) : nil }.sorted()
    }
}
