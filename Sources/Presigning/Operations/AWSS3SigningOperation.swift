import Text

/// The S3 operation that a URL allows, with the operation's own query parameters.
public enum AWSS3SigningOperation: Sendable, Hashable {
    /// Download an object.
    case getObject
    /// Upload an object in one piece.
    case putObject
    /// Read an object's metadata.
    case headObject
    /// Delete an object.
    case deleteObject
    /// Start a multipart upload.
    case createMultipartUpload
    /// Upload one part of a multipart upload. Part numbers are 1...10000.
    case uploadPart(partNumber: Int, uploadId: String)
    /// Assemble the object from its uploaded parts.
    case completeMultipartUpload(uploadId: String)
    /// Abort a multipart upload and discard its parts.
    case abortMultipartUpload(uploadId: String)
    /// List the parts that have been uploaded.
    case listParts(uploadId: String)
    /// List the bucket's objects whose keys begin with the prefix (`ListObjectsV2`). The task's key must be empty.
    case listObjectsV2(prefix: String)

    /// Creates the operation for a plain download or upload.
    public init(_ method: StorageAccessMethod) {
        switch method {
        case .get: self = .getObject
        case .put: self = .putObject
        }
    }

    /// The operation without its parameters.
    package enum Kind: Int, Sendable, CaseIterable {
        case getObject, putObject, headObject, deleteObject, createMultipartUpload, uploadPart
        case completeMultipartUpload, abortMultipartUpload, listParts, listObjectsV2
        /// An upload with an HTML form. No URL is signed for it; see ``PostPolicy``.
        case postObject

        /// The operation's name in the S3 API, in lower camel case.
        package var name: String { "\(self)" }
    }

    /// The operation without its parameters.
    package var kind: Kind {
        switch self {
        case .getObject: .getObject
        case .putObject: .putObject
        case .headObject: .headObject
        case .deleteObject: .deleteObject
        case .createMultipartUpload: .createMultipartUpload
        case .uploadPart: .uploadPart
        case .completeMultipartUpload: .completeMultipartUpload
        case .abortMultipartUpload: .abortMultipartUpload
        case .listParts: .listParts
        case .listObjectsV2: .listObjectsV2
        }
    }

    /// The operation's name in the S3 API, in lower camel case.
    public var name: String { kind.name }

    /// The names that `init(named:)` accepts.
    package static let allNames = Kind.allCases.filter { $0 != .postObject }.map(\.name)

    /// Creates the operation with the given name in lower camel case, for example `uploadPart`.
    ///
    /// Returns `nil` for an unknown name. A missing upload id or part number becomes an invalid value, so that signing
    /// reports the field. A missing prefix lists the whole bucket.
    public init?(named name: String, uploadId: String? = nil, partNumber: Int? = nil, prefix: String? = nil) {
        guard let kind = Kind.allCases.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else { return nil }
        let uploadId = uploadId ?? ""
        switch kind {
        case .getObject: self = .getObject
        case .putObject: self = .putObject
        case .headObject: self = .headObject
        case .deleteObject: self = .deleteObject
        case .createMultipartUpload: self = .createMultipartUpload
        case .uploadPart: self = .uploadPart(partNumber: partNumber ?? 0, uploadId: uploadId)
        case .completeMultipartUpload: self = .completeMultipartUpload(uploadId: uploadId)
        case .abortMultipartUpload: self = .abortMultipartUpload(uploadId: uploadId)
        case .listParts: self = .listParts(uploadId: uploadId)
        case .listObjectsV2: self = .listObjectsV2(prefix: prefix ?? "")
        case .postObject: return nil
        }
    }

    /// The HTTP method. The signature covers it.
    public var method: String { methodName.description }

    /// The HTTP method as a static string.
    package var methodName: StaticString {
        switch self {
        case .getObject, .listParts, .listObjectsV2: "GET"
        case .putObject, .uploadPart: "PUT"
        case .headObject: "HEAD"
        case .deleteObject, .abortMultipartUpload: "DELETE"
        case .createMultipartUpload, .completeMultipartUpload: "POST"
        }
    }

    /// Whether a content type is signed for the operation.
    public var takesContentType: Bool {
        switch self {
        case .putObject, .uploadPart, .createMultipartUpload: true
        case .getObject, .headObject, .deleteObject, .completeMultipartUpload, .abortMultipartUpload, .listParts,
            .listObjectsV2:
            false
        }
    }

    /// The query parameters that select the operation, as S3 spells them.
    var ownQuery: [(name: String, value: String)] {
        switch self {
        case .getObject, .putObject, .headObject, .deleteObject: []
        case .createMultipartUpload: [("uploads", "")]
        case .uploadPart(let partNumber, let uploadId): [("partNumber", "\(partNumber)"), ("uploadId", uploadId)]
        case .completeMultipartUpload(let uploadId), .abortMultipartUpload(let uploadId), .listParts(let uploadId):
            [("uploadId", uploadId)]
        // XML cannot represent every key, so the storage percent-encodes the names in its response.
        case .listObjectsV2(let prefix): [("list-type", "2"), ("encoding-type", "url"), ("prefix", prefix)]
        }
    }

    /// Whether the request addresses the bucket instead of an object.
    package var isForBucket: Bool {
        if case .listObjectsV2 = self { true } else { false }
    }

    /// Checks the part number and the upload id.
    ///
    /// - Throws: `StorageError.validation` for a part number outside 1...10000 (Amazon S3 user guide, "Amazon S3
    ///   multipart upload limits"), and for an upload id that is empty or contains control characters.
    package func validate() throws(StorageError) {
        if case .uploadPart(let partNumber, _) = self, !S3Limits.partNumbers.contains(partNumber) {
            throw .invalid(
                "partNumber", "It must be 1 to 10000, but is \(partNumber).", "Number the parts from 1 to 10000.")
        }
        switch self {
        case .getObject, .putObject, .headObject, .deleteObject, .createMultipartUpload, .listObjectsV2: break
        case .uploadPart(_, let uploadId), .completeMultipartUpload(let uploadId),
            .abortMultipartUpload(let uploadId), .listParts(let uploadId):
            guard !uploadId.isEmpty, !uploadId.utf8.contains(where: ASCII.isControl) else {
                throw .invalid(
                    "uploadId", "It is empty or contains control characters.",
                    "Pass the UploadId from the CreateMultipartUpload response unchanged.")
            }
        }
    }
}

/// The access that a URL grants: download or upload.
public enum StorageAccessMethod: String, Sendable, Hashable, CaseIterable {
    /// Download the object (`GetObject`).
    case get = "GET"
    /// Upload the object (`PutObject`).
    case put = "PUT"
}
