import Cryptography
import Presigning
import Text

/// The length and digests that the headers of an upload state for its content.
struct ContentExpectation: Sendable {
    /// The number of bytes (`Content-Length`).
    var length: Int
    /// 16 bytes (`Content-MD5`).
    var md5: [UInt8]?
    /// The value of an `x-amz-checksum-*` header.
    var checksum: Checksum?
    /// 32 bytes (`x-amz-content-sha256`).
    var sha256: [UInt8]?

    /// Parses the headers of a PUT.
    init(_ request: S3Request) throws(S3Error) {
        length = try Self.length(request)
        md5 = try Self.md5(request)
        checksum = try Self.checksum(request)
        sha256 = try Self.sha256(request)
    }

    private static func length(_ request: S3Request) throws(S3Error) -> Int {
        if let coding = request.header("content-encoding"), coding.containsToken("aws-chunked") {
            throw .notImplemented(
                "Content-Encoding: aws-chunked; send the content without it", header: "Content-Encoding")
        }
        guard let text = request.header("content-length"), let length = Int(decimal: text.span) else {
            throw .missingContentLength
        }
        guard length <= S3Limits.upload else { throw .entityTooLarge(length) }
        return length
    }

    private static func md5(_ request: S3Request) throws(S3Error) -> [UInt8]? {
        guard let text = request.header("content-md5") else { return nil }
        guard let bytes = Base64.decode(text.span), bytes.count == 16 else {
            throw S3Error(400, "InvalidDigest", "The Content-MD5 you specified was invalid.", [("Content-MD5", text)])
        }
        return bytes
    }

    private static func checksum(_ request: S3Request) throws(S3Error) -> Checksum? {
        var found: Checksum?
        for algorithm in ChecksumAlgorithm.allCases {
            guard let text = request.header(algorithm.header) else { continue }
            guard found == nil else {
                throw .invalidRequest(
                    "Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.")
            }
            guard let bytes = Base64.decode(text.span), bytes.count == algorithm.byteCount else {
                throw .invalidRequest("Value for \(algorithm.header) header is invalid.")
            }
            found = Checksum(algorithm: algorithm, bytes: bytes)
        }
        if found == nil, request.header("x-amz-sdk-checksum-algorithm") != nil {
            throw .invalidRequest(
                "x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum-* or x-amz-trailer "
                    + "headers were found.")
        }
        return found
    }

    private static func sha256(_ request: S3Request) throws(S3Error) -> [UInt8]? {
        guard let text = request.header("x-amz-content-sha256"), text != Array("UNSIGNED-PAYLOAD".utf8) else {
            return nil
        }
        if text.starts(with: "STREAMING-".utf8) {
            throw .notImplemented(
                "STREAMING-* payloads; send the content in one piece", header: "x-amz-content-sha256")
        }
        guard text.count == 64, let bytes = Hexadecimal.decode(text) else {
            throw .invalidArgument(
                "x-amz-content-sha256 must be UNSIGNED-PAYLOAD, or a valid sha256 value.", name: "x-amz-content-sha256",
                value: text)
        }
        return bytes
    }
}

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
