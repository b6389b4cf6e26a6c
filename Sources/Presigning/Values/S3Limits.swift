/// S3's limits.
///
/// Source: Amazon S3 User Guide, "Amazon S3 multipart upload limits"
/// (https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html), "Uploading objects", "Creating object key names",
/// "Working with object metadata", "Categorizing your objects using tags"; API reference, "ListObjectsV2".
package enum S3Limits {
    /// The maximum size of an object that is uploaded in one request: 5 GiB.
    package static let upload = 5 << 30
    /// The valid sizes of a part, in bytes; the last one may be smaller.
    package static let partSizes = 5 << 20...upload
    /// The valid part numbers.
    package static let partNumbers = 1...10_000
    /// The maximum size of an object that is completed from parts: 53,687,091,200,000 bytes (48.8 TiB).
    package static let object = partNumbers.upperBound * partSizes.upperBound
    /// The maximum size of a key, in bytes.
    package static let key = 1024
    /// The maximum number of tags of an object.
    package static let tags = 10
    /// The sizes of a tag's name and of its value, in characters.
    package static let tagName = 1...128, tagValue = 0...256
    /// The maximum size of all names and values of user metadata, in bytes.
    package static let metadata = 2048
    /// The sizes of a page of a listing, in names.
    package static let page = 1...1000
    /// The maximum size of the part list that completes a multipart upload: 1 MiB, enough for 10,000 parts with
    /// checksums.
    package static let document = 1 << 20
}
