import Presigning
import Text

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
