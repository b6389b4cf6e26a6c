/// What a caller asked for: the members of a `POST /presign` body, typed but not yet judged.
package struct PresignFields: ~Copyable {
    /// The method a URL may be signed for; the wire names are HTTP's.
    package enum Method: String, Sendable, CaseIterable {
        case get = "GET"
        case put = "PUT"
        case head = "HEAD"
        case delete = "DELETE"
        case post = "POST"
    }

    /// Bytes that an upload may declare: up to 5 TiB (Amazon S3 User Guide, "Amazon S3 multipart upload limits").
    static let possibleLength: ClosedRange<Int64> = 0...5_497_558_138_880

    /// The object's path, UTF-8, as given.
    package var path: [UInt8] = []
    /// Whether it was found in what was decoded.
    var hasPath = false
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
    /// The other members, all of which are texts, in the order of the body. They are one value, as most requests have none
    /// of them.
    private var texts: [(name: PresignFieldName, value: String)] = []

    /// Nothing asked for yet.
    package init() {}
}

extension PresignFields {
    /// nil means the default store.
    package var store: String? {
        @inline(__always) get { self[.store] }
        set { self[.store] = newValue }
    }
    /// The media type of an upload.
    package var contentType: String? {
        @inline(__always) get { self[.contentType] }
        set { self[.contentType] = newValue }
    }
    /// Base 64 of the digest.
    package var checksumSHA256: String? {
        @inline(__always) get { self[.checksumSHA256] }
        set { self[.checksumSHA256] = newValue }
    }
    /// `*`, or what will be refused.
    package var ifNoneMatch: String? {
        @inline(__always) get { self[.ifNoneMatch] }
        set { self[.ifNoneMatch] = newValue }
    }
    /// The multipart upload.
    package var uploadId: String? {
        @inline(__always) get { self[.uploadId] }
        set { self[.uploadId] = newValue }
    }
    /// The members that become `response-*` query parameters, in the order of the body.
    var responseOverrides: [(name: PresignFieldName, value: String)] {
        texts.filter { $0.name.responseParameter != nil }
    }
    /// Whether there is anything that becomes a header or a query parameter, or names a store; most requests have nothing.
    var hasDetails: Bool { contentLength != nil || !texts.isEmpty }

    /// A text by its name.
    subscript(name: PresignFieldName) -> String? {
        @inline(__always) get { texts.isEmpty ? nil : text(name) }
        set {
            texts.removeAll { $0.name == name }
            if let newValue { texts.append((name, newValue)) }
        }
    }

    @inline(never)
    private func text(_ name: PresignFieldName) -> String? { texts.first { $0.name == name }?.value }
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
    /// What is wrong and the mend; never a secret.
    package let detail: String

    /// A failure of the named member.
    package init(_ field: String, _ detail: String) {
        self.field = field
        self.detail = detail
    }
}

extension FieldFailure: CustomStringConvertible {
    /// The field, when one is to blame, and what is wrong.
    package var description: String { field.isEmpty ? detail : "\(field): \(detail)" }
}
