package import Presigning
import Text

/// What a caller asks for, from the decoder to the rules, the signature and the log: the fields of the request, typed,
/// and the operation that they select. Fields that few requests have are those of `RareFields`.
@dynamicMemberLookup
package struct PresignRequest: Sendable {
    /// A method that a URL can be signed for; the raw value is its HTTP name.
    package enum Method: String, Sendable, CaseIterable {
        case get = "GET"
        case put = "PUT"
        case head = "HEAD"
        case delete = "DELETE"
        case post = "POST"
    }

    /// Who asks. A decoder does not know the caller.
    package var caller = Caller.guest
    /// The operation's row in the table of operations; `selectOperation` derives it from the fields.
    package internal(set) var traits = download

    /// Whether the operation is known: `selectOperation` has accepted the fields.
    package internal(set) var isSelected = false

    /// The object's path as sent, in UTF-8, without the store's prefix; the prefix of a listing. Rules check it and never
    /// repair it.
    package var path: [UInt8] = []
    /// Whether a path was sent. Only `GET /permissions` can do without.
    package var hasPath = false
    /// Whether `path` was sent as `prefix`.
    package var hasPrefix = false
    /// Nil means GET.
    package var method: Method?
    /// Nil means the default store.
    package var store: String?
    /// The lifetime of the URL in seconds.
    package var expiresIn: Int64?
    /// Nil means the store's setting.
    package var validateObjectExistence: Bool?
    /// Whether the path names the content, so that an upload is not needed if the store checks existence and finds an
    /// object of the same length.
    package var isContentAddressed = false
    /// Nil means the store's setting.
    package var useAccelerateEndpoint: Bool?
    /// Whether the request makes or uses a share link; nil for other requests.
    package var share: ShareUse?

    /// The media type of an upload.
    package var contentType: String?
    /// The exact length of an upload, or of one of its parts, in bytes.
    package var contentLength: Int64?
    /// The digest in Base64; empty if a question to the rules only declares that there is one.
    package var checksumSHA256: String?
    /// Only `*` is valid.
    package var ifNoneMatch: String?
    /// The settings of an upload, in the order of the body.
    package var settings: [UploadSetting] = []

    /// The response headers to override, in the order of the body; the values are UTF-8.
    package var responseOverrides: [(override: ResponseOverride, value: [UInt8])] = []

    /// Nil until one of them is set.
    private var rare: RareFields.Box?

    /// The fields that a body or a query has.
    var sent = PresentFields()
    /// Whether a question to the rules is about all steps of a multipart upload. Never set for a request that is signed.
    private var concernsAllSteps = false
    /// Whether the request asks which limits apply. Then it meets all of them, and the widest grant decides. Never set
    /// for a request that is signed: only `AccessPolicy` sets it.
    package var asksForLimits = false

    private static let download = AWSS3SigningOperation.Kind.getObject.traits

    /// No fields.
    package init() {}

    /// A field of `RareFields`.
    package subscript<Value>(dynamicMember field: WritableKeyPath<RareFields, Value?>) -> Value? {
        get { if case .fields(let fields)? = rare { fields[keyPath: field] } else { nil } }
        set {
            var fields = if case .fields(let fields)? = rare { fields } else { RareFields() }
            fields[keyPath: field] = newValue
            rare = .fields(fields)
        }
    }

    /// Whether a field of `RareFields` may be set.
    package var hasRareFields: Bool { rare != nil }
}

/// The fields of a request that belong to one kind of operation, each of them rare.
package struct RareFields: Sendable {
    /// Keeps requests without these fields small.
    fileprivate indirect enum Box: Sendable { case fields(RareFields) }

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

    /// The maximum number of names in a listing.
    package var maxKeys: Int64?
    /// Only `/` is valid.
    package var delimiter: String?
    /// The token of the next page of a listing.
    package var continuationToken: String?
    /// The name after which a listing starts.
    package var startAfter: String?
    /// False if the storage must not percent-encode the names in a listing. Nil means true.
    package var encodesNames: Bool?

    /// Headers to sign that no rule decides about, such as checksums that no rule can require.
    package var neutralHeaders: [(name: String, value: String)]?
    /// The lifetime of the URL in seconds, unless the maximum of the rule is shorter. It is used instead of `expiresIn`,
    /// and the URL has no window.
    package var briefLife: Int64?
    /// Whether a deletion can be of every object of the store.
    package var deletesAll: Bool?
}

/// What rules decide by, besides the fields.
extension PresignRequest {
    /// Creates a question to the rules, which declares nothing else.
    ///
    /// - Parameters:
    ///   - step: the step of a multipart upload; nil asks about the upload as a whole. Other actions have none.
    ///   - path: the object's path without the store's prefix; or the prefix of a listing, which ends in a slash.
    ///   - store: the store's name; nil for the default store.
    package init(
        caller: Caller, action: AccessAction, step: MultipartStep? = nil, path: [UInt8], store: String? = nil
    ) {
        (self.caller, self.path, self.store, hasPath) = (caller, path, store, true)
        let step = action == .multipart ? step : nil
        traits = Self.operations.first { $0.action == action && (step == nil || $0.step == step) } ?? traits
        concernsAllSteps = action == .multipart && step == nil
        isSelected = true
    }

    private static let operations = AWSS3SigningOperation.Kind.allCases.map(\.traits)

    /// The operation that the fields select.
    package var operation: AWSS3SigningOperation.Kind { traits.operation }

    /// The action that a rule must grant.
    package var action: AccessAction { traits.action }

    /// The step of a multipart upload; nil for other actions, and for questions about an upload as a whole.
    package var step: MultipartStep? { concernsAllSteps ? nil : traits.step }

    /// Whether the storage takes the object's settings from this request.
    package var storesSettings: Bool { concernsAllSteps || traits.storesSettings }

    /// Whether the storage creates the object on this request, and so honors `if-none-match`.
    package var createsObject: Bool { concernsAllSteps || traits.createsObject }

    /// Whether the request must declare a type that a rule allows: that of the object, or all types that a new share
    /// link accepts.
    package var setsContentType: Bool {
        if concernsAllSteps { return contentType != nil }
        return storesSettings && (newShare == nil || newShare?.types != nil)
    }

    /// Whether it lists the objects below its path. The path is then a prefix: empty, or ending in "/".
    package var isListing: Bool { action == .list && (path.isEmpty || path.last == UInt8(ascii: "/")) }

    /// Whether it needs to be allowed for every key below its path, which is then a prefix.
    package var concernsAllBelow: Bool { isListing || (hasRareFields && self.deletesAll == true) }

    /// Whether an HTML form is requested, whose policy bounds the length that the request need not declare.
    package var isForm: Bool { self.form == true }

    /// The checksum declared for an upload.
    package var checksum: ChecksumAlgorithm? { checksumSHA256 == nil ? nil : .sha256 }

    /// Declares a checksum in a question to the rules, whose digest does not matter.
    package mutating func declare(_ checksum: ChecksumAlgorithm?) { checksumSHA256 = checksum == .sha256 ? "" : nil }

    /// The checksum of the parts, declared when creating a multipart upload.
    package var partChecksum: ChecksumAlgorithm? { self.checksumAlgorithm.flatMap { ChecksumAlgorithm(name: $0) } }

    /// The terms of the share link that it makes; nil for other requests.
    package var newShare: ShareTerms? { if case .creation(let terms)? = share { terms } else { nil } }

    /// The content type that an upload declares, or the range of types that a new share link accepts.
    package var declaredType: String? { newShare?.types?.description ?? contentType }

    /// Whether one of the ranges has the declared type, or the whole range that a new share link accepts.
    package func declaredType(isInOneOf ranges: [MediaRange]) -> Bool {
        if let types = newShare?.types { return ranges.contains { $0.contains(types) } }
        let type = contentType ?? ""
        return ranges.contains { $0.contains(type) }
    }

    /// The length in bytes that an upload declares, or the maximum that a new share link accepts.
    package var declaredLength: Int64? { newShare?.maximumSize ?? contentLength }

    /// The lifetime in seconds that is asked for: of the URL, or of a new share link.
    package var declaredLifetime: Int64? { newShare?.lifetime ?? expiresIn }
}

/// A response header that a reader can ask the storage to send instead of the object's. The raw value is the request's
/// field.
package enum ResponseOverride: String, Sendable, CaseIterable {
    case contentType = "responseContentType"
    case contentDisposition = "responseContentDisposition"
    case contentLanguage = "responseContentLanguage"
    case contentEncoding = "responseContentEncoding"
    case cacheControl = "responseCacheControl"
    case expires = "responseExpires"

    /// The query parameter that sets it (S3 API Reference, GetObject, "Overriding response header values").
    package var parameter: String {
        switch self {
        case .contentType: "response-content-type"
        case .contentDisposition: "response-content-disposition"
        case .contentLanguage: "response-content-language"
        case .contentEncoding: "response-content-encoding"
        case .cacheControl: "response-cache-control"
        case .expires: "response-expires"
        }
    }
}
