package import Presigning
import Text

/// The fields of a presign request, typed but not yet checked against each other or the rules.
package struct PresignFields: Sendable {
    /// A method that a URL can be signed for; the raw value is its HTTP name.
    package enum Method: String, Sendable, CaseIterable {
        case get = "GET"
        case put = "PUT"
        case head = "HEAD"
        case delete = "DELETE"
        case post = "POST"
    }

    /// The range of `contentLength` in bytes: up to 5 TiB (Amazon S3 User Guide, "Amazon S3 multipart upload limits").
    package static let possibleLength: ClosedRange<Int64> = 0...5_497_558_138_880

    /// The object's path as sent, in UTF-8; the prefix of a listing.
    package var path: [UInt8] = []
    /// Whether a path was sent. Only `GET /permissions` can do without.
    package var hasPath = false
    /// Whether `path` was sent as `prefix`.
    package var isListing = false
    /// Nil means GET.
    package var method: Method?
    /// Seconds.
    package var expiresIn: Int64?
    /// Nil means the store's setting.
    package var validateObjectExistence: Bool?
    /// Nil means the store's setting.
    package var useAccelerateEndpoint: Bool?
    /// Bytes.
    package var contentLength: Int64?
    /// Valid from 1 to 10000; checked when signing.
    package var partNumber: Int64?
    /// The maximum number of names in a listing.
    package var maxKeys: Int64?
    /// The settings of an upload, in the order of the body.
    package var settings: [UploadSetting] = []
    /// The string fields, in the order of the body.
    private var texts: [(name: PresignFieldName, value: String)] = []

    /// No fields.
    package init() {}
}

extension PresignFields {
    /// The fields that become `response-*` query parameters, in the order of the body.
    package var responseOverrides: [(name: PresignFieldName, value: String)] {
        texts.filter { $0.name.responseParameter != nil }
    }

    /// The value of a string field; nil if absent.
    package subscript(name: PresignFieldName) -> String? {
        get { texts.first { $0.name == name }?.value }
        set {
            texts.removeAll { $0.name == name }
            if let newValue { texts.append((name, newValue)) }
        }
    }
}

/// The names of the fields of a request.
package enum PresignFieldName: String, CaseIterable, Sendable {
    case path, key, method, expiresIn, validateObjectExistence, useAccelerateEndpoint, contentLength, partNumber
    /// If absent, the default store.
    case store
    /// The media type of an upload.
    case contentType
    /// The digest in Base64.
    case checksumSHA256
    /// Only `*` is valid.
    case ifNoneMatch
    /// The id of a multipart upload.
    case uploadId
    case responseContentType, responseContentDisposition, responseContentLanguage, responseContentEncoding
    case responseCacheControl, responseExpires
    /// Lists the objects below it; instead of `path`.
    case prefix
    case delimiter, maxKeys, continuationToken, startAfter
    /// The settings of an upload, named as `UploadSetting.Name`.
    case metadata, cacheControl, contentDisposition, contentEncoding, contentLanguage
    case storageClass, tagging, serverSideEncryption, kmsKeyId
    /// The algorithm of the checksums of all parts, such as `SHA256`.
    case checksumAlgorithm
    /// Only `ENABLED` is valid.
    case checksumMode
    /// The id of a version of the object.
    case versionId

    /// The query parameter that a response override becomes (S3 API Reference, GetObject, "Overriding response header
    /// values").
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

    /// The field with exactly this name.
    package init?(bytes: ArraySlice<UInt8>) {
        let name = bytes.span
        let names = Self.names.span
        for index in names.indices where name.equals(names[index].bytes.span) {
            self = names[index].name
            return
        }
        return nil
    }

    private static let names = allCases.map { (name: $0, bytes: Array($0.rawValue.utf8)) }
}
