import Foundation

/// What is known about an unfinished upload: one small file, with which a later start of the app continues it.
struct UploadRecord: TransferRecord {
    /// The parts that the storage has, and what belongs to them.
    struct Multipart: Codable, Sendable, Equatable {
        let uploadID: String
        let partSize: Int64
        /// The part size that the rule required when the upload began.
        let requiredPartSize: Int64?
        /// Whether each part has a checksum.
        let hasChecksum: Bool
        /// By number.
        var parts: [Int: StoredPart] = [:]

        /// The bytes of the parts.
        var storedSize: Int64 { parts.values.reduce(0) { $0 + $1.size } }
    }

    /// A part that the storage has.
    struct StoredPart: Codable, Sendable, Equatable {
        let size: Int64
        let etag: String
        let checksum: String?
    }

    /// The file, and what it was when the upload began.
    struct Source: Codable, Sendable, Equatable {
        let file: RecordedFile
        let fingerprint: FileFingerprint
    }

    static let suffix = "upload.json"

    let id: String
    /// The endpoint and the store.
    let target: String
    let path: String
    /// Nil for data in memory, whose record is not kept.
    let source: Source?
    let options: StorageUploadOptions
    let createdAt: Date
    var multipart: Multipart?
    /// Whether a request that stores the object was sent, and its outcome is not known.
    var isSubmitted = false
    /// Whether the upload only waits to be removed from the storage.
    var isAbandoned = false
}

/// What is known about an unfinished download. The bytes are in a file beside it, whose size is their number.
struct DownloadRecord: TransferRecord {
    static let suffix = "download.json"

    let id: String
    /// The endpoint and the store.
    let target: String
    let path: String
    let file: RecordedFile
    let options: StorageDownloadOptions
    let createdAt: Date
    /// The object whose bytes are in the file; nil before the first response.
    var object: DownloadedObject?
}

/// The object of a download, as the storage describes it.
struct DownloadedObject: Codable, Sendable, Equatable {
    /// Nil if the download cannot continue: no ETag, a weak one, or encoded content.
    let etag: String?
    /// The size in bytes; nil if the storage does not tell.
    let total: Int64?
    /// The SHA-256 of the content in Base64, if the storage has one.
    let checksum: String?
}
