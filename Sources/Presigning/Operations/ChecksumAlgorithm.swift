/// The checksums S3 takes with an upload (Amazon S3 user guide, "Checking object integrity").
package enum ChecksumAlgorithm: String, Sendable, CaseIterable {
    case crc32, crc32c, crc64nvme, sha1, sha256

    /// The name as `x-amz-checksum-algorithm` spells it, in upper case.
    package var name: String { rawValue.uppercased() }

    /// The header that carries a checksum, in lower case.
    package var header: String { "x-amz-checksum-" + rawValue }
}
