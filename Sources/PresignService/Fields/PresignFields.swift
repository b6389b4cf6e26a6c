package import AccessRules
package import Presigning

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

    /// The object's path as sent, in UTF-8; the prefix of a listing.
    package var path: [UInt8] = []
    /// Whether a path was sent. Only `GET /permissions` can do without.
    package var hasPath = false
    /// Whether `path` was sent as `prefix`.
    package var isListing = false
    /// Nil means GET.
    package var method: Method?
    /// Nil means the default store.
    package var store: String?
    /// Seconds.
    package var expiresIn: Int64?
    /// Nil means the store's setting.
    package var validateObjectExistence: Bool?
    /// Nil means the store's setting.
    package var useAccelerateEndpoint: Bool?

    /// The media type of an upload.
    package var contentType: String?
    /// Bytes.
    package var contentLength: Int64?
    /// The digest in Base64.
    package var checksumSHA256: String?
    /// Only `*` is valid.
    package var ifNoneMatch: String?
    /// The settings of an upload, in the order of the body.
    package var settings: [UploadSetting] = []

    /// The id of a multipart upload.
    package var uploadId: String?
    /// Valid from 1 to 10000; checked when signing.
    package var partNumber: Int64?
    /// The algorithm of the checksums of all parts, such as `SHA256`.
    package var checksumAlgorithm: String?

    /// Only `ENABLED` is valid.
    package var checksumMode: String?
    /// The id of a version of the object.
    package var versionId: String?
    /// The response headers to override, in the order of the body.
    package var responseOverrides: [(override: ResponseOverride, value: String)] = []

    /// The maximum number of names in a listing.
    package var maxKeys: Int64?
    /// Only `/` is valid.
    package var delimiter: String?
    /// The token of the next page of a listing.
    package var continuationToken: String?
    /// The name after which a listing starts.
    package var startAfter: String?

    /// No fields.
    package init() {}
}
