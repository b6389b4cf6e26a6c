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

    /// Returns the digests. Throws if the length or a digest differs from the expected one.
    ///
    /// - Parameter trailer: the checksum in the trailer, in base64, if it was announced there.
    func verified(trailer: [UInt8]? = nil) throws(S3Error) -> VerifiedContent {
        guard byteCount == expectation.length ?? byteCount else { throw .incompleteBody }
        let digest = md5.digest()
        if let expected = expectation.md5, expected != digest {
            throw S3Error(
                400, "BadDigest", "The Content-MD5 you specified did not match what we received.",
                [
                    ("ExpectedDigest", Array(Base64.encode(expected).utf8)),
                    ("CalculatedDigest", Array(Base64.encode(digest).utf8)),
                ])
        }
        let checksum = try verifiedChecksum(trailer)
        if let expected = expectation.sha256, let computed = sha256?.digest().bytes, expected != computed {
            throw S3Error(
                400, "XAmzContentSHA256Mismatch",
                "The provided 'x-amz-content-sha256' header does not match what was computed.",
                [
                    ("ClientComputedContentSHA256", Array(Hexadecimal.encode(expected).utf8)),
                    ("S3ComputedContentSHA256", Array(Hexadecimal.encode(computed).utf8)),
                ])
        }
        return VerifiedContent(
            length: byteCount, entityTag: Array(Hexadecimal.encode(digest).utf8), checksum: checksum)
    }

    /// Returns the computed checksum. Throws if it differs from the one in the headers or the trailer.
    private func verifiedChecksum(_ trailer: [UInt8]?) throws(S3Error) -> Checksum? {
        guard var result = expectation.checksum, let computed = checksum?.digest() else { return nil }
        let isWrong =
            trailer.map { Base64.decode($0.span) != computed }
            ?? (!result.bytes.isEmpty && result.bytes != computed)
        guard !isWrong else {
            throw S3Error(
                400, "BadDigest", "The \(result.algorithm.name) you specified did not match the calculated checksum.")
        }
        result.bytes = computed
        return result
    }
}

/// The digests of content that is complete and as expected.
struct VerifiedContent: Sendable, Equatable {
    /// Bytes.
    let length: Int
    /// The entity tag of an object or a part with this content, without quotes.
    let entityTag: [UInt8]
    /// The checksum; nil if none was wanted.
    let checksum: Checksum?
}
