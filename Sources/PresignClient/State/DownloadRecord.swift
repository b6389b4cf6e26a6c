import Foundation

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
