package import AccessRules
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
    /// Whether the path names the content, so that an upload is not needed if the store checks existence and finds an
    /// object of the same length.
    var isContentAddressed = false
    /// Nil means the store's setting.
    package var useAccelerateEndpoint: Bool?
    /// Whether a share link is requested instead of a URL of the storage.
    package var share = false
    /// The use of a share link, which the fields come from; nil for other requests.
    var shareUse: ShareRequest?

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

    /// Whether the upload is an HTML form. Nil means no.
    package var form: Bool?
    /// The status of the storage's response to a form.
    package var successStatus: Int64?
    /// The URL to which the storage redirects after a form.
    package var successRedirect: String?

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

    /// The fields of a download of the same object.
    var download: PresignFields {
        var fields = PresignFields()
        (fields.path, fields.hasPath, fields.store) = (path, hasPath, store)
        return fields
    }
}

/// The name of a field of a request.
///
/// The names of upload settings and response overrides are those of the types that the rules use, so that a request can
/// name everything that a rule can.
package enum PresignFieldName: Hashable, Sendable {
    /// A field that exists once.
    package enum Plain: String, CaseIterable, Sendable {
        case path, key, method, expiresIn, validateObjectExistence, useAccelerateEndpoint, contentLength, partNumber
        case store, contentType, checksumSHA256, ifNoneMatch, uploadId
        case prefix, delimiter, maxKeys, continuationToken, startAfter
        case checksumAlgorithm, checksumMode, versionId, share
        case form, successStatus, successRedirect
    }

    case plain(Plain)
    case override(ResponseOverride)
    case setting(UploadSetting.Name)
}

extension PresignFieldName: CaseIterable {
    /// All names, in the order in which errors suggest them.
    package static let allCases =
        Plain.allCases.map(Self.plain) + ResponseOverride.allCases.map(Self.override)
        + UploadSetting.Name.allCases.map(Self.setting)
}

extension PresignFieldName: RawRepresentable {
    /// The name in a request.
    package var rawValue: String {
        switch self {
        case .plain(let name): name.rawValue
        case .override(let override): override.rawValue
        case .setting(let setting): setting.rawValue
        }
    }

    /// Creates the field with exactly this name; nil for an unknown name.
    package init?(rawValue: String) { self.init(bytes: Array(rawValue.utf8)[...]) }

    /// Creates the field with exactly this name; nil for an unknown name.
    package init?(bytes: ArraySlice<UInt8>) {
        guard let index = Self.index(of: bytes) else { return nil }
        self = Self.allCases[index]
    }

    /// Returns the index in `allCases` of the field with exactly this name; nil for an unknown name.
    static func index(of bytes: ArraySlice<UInt8>) -> Int? {
        let name = bytes.span
        let names = Self.names.span
        for index in names.indices where name.equals(names[index].span) { return index }
        return nil
    }

    private static let names = allCases.map { Array($0.rawValue.utf8) }
}

/// The fields that a JSON object has so far, by their indices in `PresignFieldName.allCases`.
struct PresentFields {
    private var bits: UInt64 = 0

    /// Inserts a field. Returns false if it is already present.
    mutating func insert(_ index: Int) -> Bool {
        precondition(index < UInt64.bitWidth, "there are more field names than bits")
        let bit: UInt64 = 1 << UInt64(index)
        defer { bits |= bit }
        return bits & bit == 0
    }
}
