import Cryptography
import Presigning
import Text

/// The length and digests that the headers of an upload state for its content.
struct ContentExpectation: Sendable {
    /// The number of bytes of the content: `Content-Length`, or `x-amz-decoded-content-length`; nil for the file of a
    /// form, which states none.
    var length: Int?
    /// 16 bytes (`Content-MD5`).
    var md5: [UInt8]?
    /// The value of an `x-amz-checksum-*` header; without bytes if it follows in a trailer or is to be computed.
    var checksum: Checksum?
    /// 32 bytes (`x-amz-content-sha256`).
    var sha256: [UInt8]?
    /// How the content is sent.
    var format = PayloadFormat.plain(sha256: nil)

    /// Expects content of the store itself, whose checksum by this algorithm is to be computed.
    init(length: Int, computing algorithm: ChecksumAlgorithm?) {
        self.length = length
        checksum = algorithm.map { Checksum(algorithm: $0, bytes: []) }
    }

    /// Parses the headers of a request with an XML document, or those that stand for the fields of a form.
    ///
    /// - Parameters:
    ///   - length: that of the document, which was read completely; nil for the file of a form.
    ///   - hasChecksum: whether `x-amz-checksum-*` is that of the content.
    init(_ request: S3Request, length: Int?, hasChecksum: Bool) throws(S3Error) {
        self.length = length
        md5 = try Self.md5(request)
        checksum = hasChecksum ? try Self.checksum(request) : nil
        sha256 = try Self.sha256(request)
    }

    /// Parses the headers of a PUT.
    init(_ request: S3Request) throws(S3Error) {
        format = request.payload
        if case .chunked = format, request.isSignedInHeader {
            checksum = try Self.trailerChecksum(request)
        } else {
            guard request.header("x-amz-trailer") == nil else {
                throw .notImplemented("trailers without aws-chunked content", header: "x-amz-trailer")
            }
            sha256 = try Self.sha256(request)
        }
        length = try Self.length(request)
        md5 = try Self.md5(request)
        if checksum == nil { checksum = try Self.checksum(request) }
    }

    /// Returns the decoder of the content; nil if it is sent as it is.
    ///
    /// - Parameter signatures: verifies the chunks, if they are signed.
    func decoder(_ signatures: ChunkSignatures?) throws(S3Error) -> ChunkDecoder? {
        guard case .chunked(let isSigned, let hasTrailer) = format else { return nil }
        guard isSigned == (signatures != nil) else { throw .incompleteBody }
        let trailer = checksum.flatMap { $0.bytes.isEmpty ? Array($0.algorithm.header.utf8) : nil }
        return ChunkDecoder(length: length ?? 0, signatures: signatures, hasTrailer: hasTrailer, trailerName: trailer)
    }

    private static func length(_ request: S3Request) throws(S3Error) -> Int {
        var name = "content-length"
        if case .chunked = request.payload {
            name = "x-amz-decoded-content-length"
        }
        guard let text = request.header(name), let length = Int(decimal: text.span) else {
            throw .missingContentLength
        }
        guard length <= S3Limits.upload else { throw .entityTooLarge(length) }
        if let decoded = request.header("x-amz-decoded-content-length"), Int(decimal: decoded.span) != length {
            throw .invalidRequest(
                "x-amz-decoded-content-length must equal Content-Length, because x-amz-content-sha256 announces no "
                    + "aws-chunked content.")
        }
        return length
    }

    private static func md5(_ request: S3Request) throws(S3Error) -> [UInt8]? {
        guard let text = request.header("content-md5") else { return nil }
        guard let bytes = Base64.decode(text.span), bytes.count == 16 else {
            throw S3Error(400, "InvalidDigest", "The Content-MD5 you specified was invalid.", [("Content-MD5", text)])
        }
        return bytes
    }

    /// Returns the checksum that is announced as a trailer, without its bytes; nil if none is.
    private static func trailerChecksum(_ request: S3Request) throws(S3Error) -> Checksum? {
        guard let name = request.header("x-amz-trailer") else { return nil }
        guard
            let algorithm = ChecksumAlgorithm.allCases.first(where: {
                ASCII.lowercased(name).elementsEqual($0.header.utf8)
            })
        else { throw .invalidRequest("The value specified in the x-amz-trailer header is not supported") }
        return Checksum(algorithm: algorithm, bytes: [])
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
        switch request.payload {
        case .plain(let sha256): return sha256
        case .chunked:
            throw .notImplemented(
                "STREAMING-* payloads, except of uploads that are signed in the Authorization header",
                header: "x-amz-content-sha256")
        case .unknown: break
        }
        let text = request.header("x-amz-content-sha256") ?? []
        if text.starts(with: "STREAMING-".utf8) {
            throw .notImplemented("this kind of STREAMING-* payload", header: "x-amz-content-sha256")
        }
        throw .invalidArgument(
            "x-amz-content-sha256 must be UNSIGNED-PAYLOAD, STREAMING-UNSIGNED-PAYLOAD-TRAILER, "
                + "STREAMING-AWS4-HMAC-SHA256-PAYLOAD, STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER or a valid sha256 "
                + "value.", name: "x-amz-content-sha256", value: text)
    }
}

/// How the content of a request is sent and signed, according to `x-amz-content-sha256`.
///
/// Source: Amazon S3 API reference, "Authenticating Requests: Using the Authorization Header".
enum PayloadFormat: Sendable, Equatable {
    /// As it is, with this SHA-256 in the signature, or none.
    case plain(sha256: [UInt8]?)
    /// In `aws-chunked` coding.
    case chunked(isSigned: Bool, hasTrailer: Bool)
    /// In another format.
    case unknown

    private static let constants: [(name: String, format: PayloadFormat)] = [
        ("UNSIGNED-PAYLOAD", .plain(sha256: nil)),
        ("STREAMING-UNSIGNED-PAYLOAD-TRAILER", .chunked(isSigned: false, hasTrailer: true)),
        ("STREAMING-AWS4-HMAC-SHA256-PAYLOAD", .chunked(isSigned: true, hasTrailer: false)),
        ("STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER", .chunked(isSigned: true, hasTrailer: true)),
    ]

    var isSignedInChunks: Bool {
        if case .chunked(isSigned: true, hasTrailer: _) = self { true } else { false }
    }

    init(_ value: [UInt8]?) {
        guard let value else {
            self = .plain(sha256: nil)
            return
        }
        if let format = Self.constants.first(where: { value.elementsEqual($0.name.utf8) })?.format {
            self = format
        } else {
            self = value.count == 64 ? Hexadecimal.decode(value).map { .plain(sha256: $0) } ?? .unknown : .unknown
        }
    }
}

extension S3Request {
    /// How the content is sent.
    var payload: PayloadFormat { PayloadFormat(header("x-amz-content-sha256")) }
}
