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

    /// Bytes that an upload may declare: up to 5 TiB (Amazon S3 User Guide, "Amazon S3 multipart upload limits").
    package static let possibleLength: ClosedRange<Int64> = 0...5_497_558_138_880

    /// The object's path, UTF-8, as given.
    package var path: [UInt8] = []
    /// nil means GET.
    package var method: Method?
    /// Seconds.
    package var expiresIn: Int64?
    /// nil leaves it to the store.
    package var validateObjectExistence: Bool?
    /// nil leaves it to the store.
    package var useAccelerateEndpoint: Bool?
    /// Bytes.
    package var contentLength: Int64?
    /// 1...10000, or what will be refused.
    package var partNumber: Int64?
    /// The other members, all of which are texts, in the order of the body.
    private var texts: [(name: PresignFieldName, value: String)] = []

    /// Nothing asked for yet.
    package init() {}
}

extension PresignFields {
    /// The members that become `response-*` query parameters, in the order of the body.
    package var responseOverrides: [(name: PresignFieldName, value: String)] {
        texts.filter { $0.name.responseParameter != nil }
    }

    /// One of the members that have no property of their own, by its name; nil where it was left out.
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
    /// Left out, it means the default store.
    case store
    /// The media type of an upload.
    case contentType
    /// Base 64 of the digest.
    case checksumSHA256
    /// `*`, or what will be refused.
    case ifNoneMatch
    /// The multipart upload.
    case uploadId
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

    /// The field with exactly this name.
    package init?(bytes: [UInt8]) {
        guard let name = Self.byName[bytes] else { return nil }
        self = name
    }

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { (Array($0.rawValue.utf8), $0) })
}
