import Cryptography
import Text

/// A checksum algorithm that S3 accepts with an upload (Amazon S3 user guide, "Checking object integrity").
package enum ChecksumAlgorithm: String, Sendable, CaseIterable {
    case crc32, crc32c, crc64nvme, sha1, sha256

    /// The name in upper case, as in `x-amz-checksum-algorithm`.
    package var name: String { rawValue.uppercased() }

    /// The header that carries the checksum, in lower case.
    package var header: String { "x-amz-checksum-" + rawValue }

    /// Returns the Base64 of a content's SHA-256, as headers have it.
    package static func sha256(of content: [UInt8]) -> String { Base64.encode(SHA256.hash(content).bytes) }

    /// The algorithm with this name in upper case.
    package init?(name: String) {
        guard let algorithm = Self.allCases.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else { return nil }
        self = algorithm
    }
}
