/// S3's limits ("Amazon S3 multipart upload limits", "Uploading objects", "Creating object key names").
enum ContentLimits {
    /// The maximum size of a part, and of an object uploaded in one request: 5 GiB.
    static let object = 5 << 30
    /// The minimum size of every part except the last: 5 MiB.
    static let part = 5 << 20
    /// The maximum size of a key, in bytes.
    static let key = 1024
    /// The maximum number of tags of an object.
    static let tags = 10
    /// The maximum size of all names and values of user metadata, in bytes.
    static let metadata = 2048
    /// The valid part numbers.
    static let partNumbers = 1...10_000
    /// The maximum size of the part list that completes a multipart upload: 1 MiB, enough for 10,000 parts with
    /// checksums.
    static let document = 1 << 20
}
