/// S3's limits ("Amazon S3 multipart upload limits", "Uploading objects", "Creating object key names").
enum ContentLimits {
    /// Bytes of an object uploaded in one piece, and of a part: 5 GiB.
    static let object = 5 << 30
    /// Bytes of every part but the last, at least: 5 MiB.
    static let part = 5 << 20
    /// Bytes of a key.
    static let key = 1024
    /// Bytes of all names and values of user metadata.
    static let metadata = 2048
    /// Part numbers.
    static let partNumbers = 1...10_000
    /// Bytes of the list that completes a multipart upload; 10,000 parts with checksums fit.
    static let document = 1 << 20
}
