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
    /// List the bucket's objects whose keys begin with the prefix (`ListObjectsV2`). The task's key must be empty. The
    /// storage percent-encodes the names in its response, because XML cannot represent every key, unless `encodesNames`
    /// is false.
    case listObjectsV2(prefix: String, encodesNames: Bool = true)

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

        /// The operation's row in the table of operations.
        package var traits: OperationTraits {
            switch self {
            case .getObject: .init(self, "GET", .read, .get, readsObject: true)
            case .headObject: .init(self, "HEAD", .read, .get, readsObject: true)
            case .listObjectsV2: .init(self, "GET", .read, .list, query: .listing)
            case .putObject:
                .init(
                    self, "PUT", .write, .write, sendsContent: true, createsObject: true, takesContentType: true,
                    length: .body)
            case .postObject:
                .init(
                    self, "POST", .write, .write, sendsContent: true, createsObject: true, takesContentType: true,
                    length: .body)
            case .deleteObject: .init(self, "DELETE", .write, .delete)
            case .createMultipartUpload:
                .init(self, "POST", .write, .multipart, .create, query: .name("uploads"), takesContentType: true)
            case .uploadPart:
                .init(
                    self, "PUT", .write, .multipart, .part, query: .partNumberAndUploadId, sendsContent: true,
                    takesContentType: true, length: .body)
            case .listParts: .init(self, "GET", .write, .multipart, .list, query: .uploadId)
            case .completeMultipartUpload:
                .init(
                    self, "POST", .write, .multipart, .complete, query: .uploadId, createsObject: true, length: .object)
            case .abortMultipartUpload: .init(self, "DELETE", .write, .multipart, .abort, query: .uploadId)
            }
        }
    }

    /// The parameters of an operation. The standard values are invalid, except for the prefix of the whole bucket.
    private struct Parameters {
        var partNumber = 0
        var uploadId = ""
        var prefix = ""
        var encodesNames = true
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

    private var own: Parameters {
        switch self {
        case .uploadPart(let number, let id): Parameters(partNumber: number, uploadId: id)
        case .completeMultipartUpload(let id), .abortMultipartUpload(let id), .listParts(let id):
            Parameters(uploadId: id)
        case .listObjectsV2(let prefix, let encodesNames): Parameters(prefix: prefix, encodesNames: encodesNames)
        case .getObject, .putObject, .headObject, .deleteObject, .createMultipartUpload: Parameters()
        }
    }

    /// Creates the operation from its parameters; nil for an HTML form, which has no URL.
    package init?(_ kind: Kind, partNumber: Int, uploadId: String, prefix: String, encodesNames: Bool = true) {
        switch kind {
        case .getObject: self = .getObject
        case .putObject: self = .putObject
        case .headObject: self = .headObject
        case .deleteObject: self = .deleteObject
        case .createMultipartUpload: self = .createMultipartUpload
        case .uploadPart: self = .uploadPart(partNumber: partNumber, uploadId: uploadId)
        case .completeMultipartUpload: self = .completeMultipartUpload(uploadId: uploadId)
        case .abortMultipartUpload: self = .abortMultipartUpload(uploadId: uploadId)
        case .listParts: self = .listParts(uploadId: uploadId)
        case .listObjectsV2: self = .listObjectsV2(prefix: prefix, encodesNames: encodesNames)
        case .postObject: return nil
        }
    }
}

extension AWSS3SigningOperation {
    /// Creates the operation with the given name in lower camel case, for example `uploadPart`.
    ///
    /// Returns `nil` for an unknown name. A missing upload id or part number becomes an invalid value, so that signing
    /// reports the field. A missing prefix lists the whole bucket.
    public init?(named name: String, uploadId: String? = nil, partNumber: Int? = nil, prefix: String? = nil) {
        guard let kind = Kind.allCases.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else { return nil }
        self.init(kind, partNumber: partNumber ?? 0, uploadId: uploadId ?? "", prefix: prefix ?? "")
    }

    /// The operation's row in the table of operations.
    package var traits: OperationTraits { kind.traits }

    /// The operation's name in the S3 API, in lower camel case.
    public var name: String { kind.name }

    /// The HTTP method. The signature covers it.
    public var method: String { traits.method.description }

    /// Whether a content type is signed for the operation.
    public var takesContentType: Bool { traits.takesContentType }

    /// The query parameters that select the operation, as S3 spells them.
    var ownQuery: [(name: String, value: String)] {
        switch traits.query {
        case .none: []
        case .name(let name): [(name.description, "")]
        case .uploadId: [("uploadId", own.uploadId)]
        case .partNumberAndUploadId: [("partNumber", "\(own.partNumber)"), ("uploadId", own.uploadId)]
        case .listing:
            [("list-type", "2")] + (own.encodesNames ? [("encoding-type", "url")] : []) + [("prefix", own.prefix)]
        }
    }

    /// Checks the part number and the upload id.
    ///
    /// - Throws: `StorageError.validation` for a part number outside 1...10000 (Amazon S3 user guide, "Amazon S3
    ///   multipart upload limits"), and for an upload id that is empty or contains control characters.
    package func validate() throws(StorageError) {
        let traits = traits
        guard traits.namesUpload else { return }
        if traits.step == .part, !S3Limits.partNumbers.contains(own.partNumber) {
            throw .invalid(
                "partNumber", "It must be 1 to 10000, but is \(own.partNumber).", "Number the parts from 1 to 10000.")
        }
        if own.uploadId.isEmpty || own.uploadId.utf8.contains(where: ASCII.isControl) {
            throw .invalid(
                "uploadId", "It is empty or contains control characters.",
                "Pass the UploadId from the CreateMultipartUpload response unchanged.")
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
