/// What follows from an operation: a row of the table in `AWSS3SigningOperation.Kind.traits`. It has no references, so
/// that a row costs nothing to copy.
package struct OperationTraits: Sendable {
    /// The query parameters that select an operation.
    package enum Query: Sendable {
        case none
        /// One parameter without a value.
        case name(StaticString)
        case uploadId, partNumberAndUploadId
        /// Those of `ListObjectsV2`, with the prefix.
        case listing
    }

    /// The header that carries a declared length.
    package enum LengthHeader: String, Sendable {
        /// The length of the request's body.
        case body = "content-length"
        /// The length of the object that the parts become (S3 API Reference, CompleteMultipartUpload).
        case object = "x-amz-mp-object-size"
    }

    /// The operation.
    package let operation: AWSS3SigningOperation.Kind
    /// The HTTP method.
    package let method: StaticString
    /// The query parameters that select the operation.
    package let query: Query
    /// The role of the credentials that sign it.
    package let role: CredentialRole
    /// The action that a rule must grant.
    package let action: AccessAction
    /// The step of a multipart upload; nil for other operations.
    package let step: MultipartStep?
    /// Whether the response has the object's headers.
    package let readsObject: Bool
    /// Whether the request's body becomes an object's content.
    package let sendsContent: Bool
    /// Whether the request creates an object.
    package let createsObject: Bool
    /// Whether a content type is signed.
    package let takesContentType: Bool
    /// Nil if no length can be declared.
    package let length: LengthHeader?

    /// Whether the storage takes the object's settings and content type from the request.
    package var storesSettings: Bool { action == .write || step == .create }

    /// Whether it needs the id of a multipart upload.
    package var namesUpload: Bool { step != nil && step != .create }

    init(
        _ operation: AWSS3SigningOperation.Kind, _ method: StaticString, _ role: CredentialRole,
        _ action: AccessAction, _ step: MultipartStep? = nil, query: Query = .none, readsObject: Bool = false,
        sendsContent: Bool = false, createsObject: Bool = false,
        takesContentType: Bool = false, length: LengthHeader? = nil
    ) {
        (self.operation, self.method, self.query) = (operation, method, query)
        (self.role, self.action, self.step) = (role, action, step)
        (self.readsObject, self.sendsContent, self.createsObject) = (readsObject, sendsContent, createsObject)
        (self.takesContentType, self.length) = (takesContentType, length)
    }
}

/// The purpose of a store's credentials. A store can use different credentials for reading and writing.
package enum CredentialRole: String, Sendable, CaseIterable {
    /// Reading and listing objects, including existence checks.
    case read
    /// Changing the bucket, and listing the parts of a multipart upload.
    case write
}

/// An action on an object that a rule can grant.
package enum AccessAction: UInt8, Sendable, CaseIterable {
    /// GetObject and HeadObject.
    case get
    /// ListObjectsV2 of a prefix, below which every key must be granted.
    case list
    /// PutObject in one request.
    case write
    /// DeleteObject.
    case delete
    /// All steps of a multipart upload. Separate from `write`, because its size is limited only with `partSize`.
    case multipart

    /// The name in the configuration.
    package var name: String {
        switch self {
        case .get: "get"
        case .list: "list"
        case .write: "write"
        case .delete: "delete"
        case .multipart: "multipart"
        }
    }
}

/// A step of a multipart upload.
package enum MultipartStep: String, Sendable, CaseIterable {
    case create, part, list, complete, abort
}
