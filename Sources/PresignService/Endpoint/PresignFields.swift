/// What a caller asked for: the members of a `POST /presign` body, typed but not yet judged.
package struct PresignFields: Sendable {
    /// The method a URL may be signed for; the wire names are HTTP's.
    package enum Method: String, Sendable, CaseIterable {
        case get = "GET"
        case put = "PUT"
        case head = "HEAD"
        case delete = "DELETE"
        case post = "POST"
    }

    package var path: [UInt8]?
    package var method: Method?
    package var contentType: String?
    /// Seconds.
    package var expiresIn: Int64?
    package var validateObjectExistence: Bool?
    package var useAccelerateEndpoint: Bool?
    package var store: String?
    /// Bytes.
    package var contentLength: Int64?
    /// Base 64 of the digest.
    package var checksumSHA256: String?
    package var ifNoneMatch: String?
    package var uploadId: String?
    package var partNumber: Int64?
    /// `response-*` query parameters in the order of the body: wire name and value.
    package var responseOverrides: [(name: String, value: String)] = []

    package init() {}
}

/// The names a body may use; a name that is not here is refused, since a typo must not change what is signed.
enum PresignFieldName: String, CaseIterable {
    case path, key, method, contentType, expiresIn, validateObjectExistence, useAccelerateEndpoint, store
    case contentLength, checksumSHA256, ifNoneMatch, uploadId, partNumber
    case responseContentType, responseContentDisposition, responseContentLanguage, responseContentEncoding
    case responseCacheControl, responseExpires

    /// The query parameter a GET override becomes (S3 API Reference, GetObject, "Overriding response header values").
    var responseParameter: String? {
        switch self {
        case .responseContentType: "response-content-type"
        case .responseContentDisposition: "response-content-disposition"
        case .responseContentLanguage: "response-content-language"
        case .responseContentEncoding: "response-content-encoding"
        case .responseCacheControl: "response-cache-control"
        case .responseExpires: "response-expires"
        default: nil
        }
    }
}

/// One member that cannot be accepted: where it stands and what is wrong.
package struct FieldFailure: Error, Sendable, Equatable {
    /// The member's name; empty for the whole body.
    package let field: String
    package let detail: String

    package init(_ field: String, _ detail: String) {
        self.field = field
        self.detail = detail
    }
}

extension FieldFailure: CustomStringConvertible {
    /// The field, when one is to blame, and what is wrong.
    package var description: String { field.isEmpty ? detail : "\(field): \(detail)" }
}
