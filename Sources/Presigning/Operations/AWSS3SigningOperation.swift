import Text

/// The S3 operation a URL allows, with what the operation itself puts into the query.
public enum AWSS3SigningOperation: Sendable, Hashable {
    /// Download an object.
    case getObject
    /// Upload an object in one piece.
    case putObject
    /// Read an object's headers.
    case headObject
    /// Delete an object.
    case deleteObject
    /// Begin an upload in parts.
    case createMultipartUpload
    /// Upload one part, 1...10000.
    case uploadPart(partNumber: Int, uploadId: String)
    /// Make the object of its parts.
    case completeMultipartUpload(uploadId: String)
    /// Give an upload in parts up.
    case abortMultipartUpload(uploadId: String)
    /// List the parts uploaded so far.
    case listParts(uploadId: String)

    /// The operation a plain download or upload stands for.
    public init(_ method: StorageAccessMethod) {
        switch method {
        case .get: self = .getObject
        case .put: self = .putObject
        }
    }

    /// The HTTP method, which is part of what is signed.
    public var method: String { methodName.description }

    /// The same as a text that costs nothing to pass on.
    package var methodName: StaticString {
        switch self {
        case .getObject, .listParts: "GET"
        case .putObject, .uploadPart: "PUT"
        case .headObject: "HEAD"
        case .deleteObject, .abortMultipartUpload: "DELETE"
        case .createMultipartUpload, .completeMultipartUpload: "POST"
        }
    }

    /// Whether the operation decides the type an object will have, so that a content type is signed.
    public var takesContentType: Bool {
        switch self {
        case .putObject, .uploadPart, .createMultipartUpload: true
        default: false
        }
    }

    /// The query parameters that make the request this operation, in S3's spelling.
    var ownQuery: [(name: String, value: String)] {
        switch self {
        case .getObject, .putObject, .headObject, .deleteObject: []
        case .createMultipartUpload: [("uploads", "")]
        case .uploadPart(let partNumber, let uploadId): [("partNumber", "\(partNumber)"), ("uploadId", uploadId)]
        case .completeMultipartUpload(let uploadId), .abortMultipartUpload(let uploadId), .listParts(let uploadId):
            [("uploadId", uploadId)]
        }
    }

    /// Refuses part numbers outside 1...10000 (the S3 user guide's "multipart upload limits") and unusable upload ids.
    package func validate() throws(StorageError) {
        if case .uploadPart(let partNumber, _) = self, !(1...10_000).contains(partNumber) {
            throw .invalid(
                "partNumber", "\(partNumber) is outside 1...10000.", "Number the parts from 1 to at most 10000.")
        }
        switch self {
        case .getObject, .putObject, .headObject, .deleteObject, .createMultipartUpload: break
        case .uploadPart(_, let uploadId), .completeMultipartUpload(let uploadId),
            .abortMultipartUpload(let uploadId), .listParts(let uploadId):
            guard !uploadId.isEmpty, !uploadId.utf8.contains(where: ASCII.isControl) else {
                throw .invalid(
                    "uploadId", "It is empty or holds control characters.",
                    "Give the UploadId that CreateMultipartUpload answered, unchanged.")
            }
        }
    }
}
