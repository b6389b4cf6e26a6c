import Cryptography
import Presigning
import Text

/// Computes the digests of an upload as it arrives and compares them with the expected ones.
struct ContentDigests: Sendable {
    private var md5 = InsecureHash(.md5)
    private var checksum: ChecksumHasher?
    private var sha256: SHA256?
    private let expectation: ContentExpectation
    private(set) var byteCount = 0

    init(_ expectation: ContentExpectation) {
        self.expectation = expectation
        checksum = expectation.checksum.map { ChecksumHasher($0.algorithm) }
        sha256 = expectation.sha256.map { _ in SHA256() }
    }

    mutating func update(_ bytes: Span<UInt8>) {
        byteCount += bytes.count
        md5.update(bytes)
        checksum?.update(bytes)
        sha256?.update(bytes)
    }

    /// Returns the entity tag without quotes. Throws if the length or a digest differs from the expected one.
    func verifiedEntityTag() throws(S3Error) -> [UInt8] {
        guard byteCount == expectation.length else { throw .incompleteBody }
        let digest = md5.digest()
        if let expected = expectation.md5, expected != digest {
            throw S3Error(
                400, "BadDigest", "The Content-MD5 you specified did not match what we received.",
                [
                    ("ExpectedDigest", Array(Base64.encode(expected).utf8)),
                    ("CalculatedDigest", Array(Base64.encode(digest).utf8)),
                ])
        }
        if let expected = expectation.checksum, expected.bytes != checksum?.digest() {
            throw S3Error(
                400, "BadDigest",
                "The \(expected.algorithm.name) you specified did not match the calculated checksum.")
        }
        if let expected = expectation.sha256, let computed = sha256?.digest().bytes, expected != computed {
            throw S3Error(
                400, "XAmzContentSHA256Mismatch",
                "The provided 'x-amz-content-sha256' header does not match what was computed.",
                [
                    ("ClientComputedContentSHA256", Array(Hexadecimal.encode(expected).utf8)),
                    ("S3ComputedContentSHA256", Array(Hexadecimal.encode(computed).utf8)),
                ])
        }
        return Array(Hexadecimal.encode(digest).utf8)
    }
}
