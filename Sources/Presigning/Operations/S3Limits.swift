/// S3's limits (Amazon S3 User Guide, "Amazon S3 multipart upload limits", "Uploading objects", "Creating object key
/// names").
package enum S3Limits {
    /// The maximum size of an object that is uploaded in one request: 5 GiB.
    package static let upload = 5 << 30
    /// The valid sizes of a part, in bytes; the last one may be smaller.
    package static let partSizes = 5 << 20...5 << 30
    /// The maximum size of an object that is completed from parts: 5 TiB.
    package static let object = 5 << 40
    /// The valid part numbers.
    package static let partNumbers = 1...10_000
    /// The maximum size of a key, in bytes.
    package static let key = 1024
    /// The maximum number of tags of an object.
    package static let tags = 10
    /// The maximum size of all names and values of user metadata, in bytes.
    package static let metadata = 2048
    /// The maximum size of the part list that completes a multipart upload: 1 MiB, enough for 10,000 parts with
    /// checksums.
    package static let document = 1 << 20
}
