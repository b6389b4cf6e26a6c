/// What follows from an operation: a row of the table in `AWSS3SigningOperation.Kind.traits`.
package struct OperationTraits: Sendable {
    /// A query parameter that selects an operation, as S3 spells it.
    package enum Parameter: Sendable, Equatable {
        case fixed(String, String)
        case partNumber, uploadId, prefix
    }

    /// The HTTP method.
    package let method: StaticString
    /// The query parameters that select the operation.
    package let query: [Parameter]
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
    /// The header that carries the length of the body, or of the object that the parts become; nil for other operations.
    package let lengthHeader: String?

    /// Whether the storage takes the object's settings and content type from the request.
    package var storesSettings: Bool { action == .write || step == .create }

    init(
        _ method: StaticString, _ role: CredentialRole, _ action: AccessAction, _ step: MultipartStep? = nil,
        query: [Parameter] = [], readsObject: Bool = false, sendsContent: Bool = false,
        createsObject: Bool = false, takesContentType: Bool = false, lengthHeader: String? = nil
    ) {
        (self.method, self.query, self.role, self.action, self.step) = (method, query, role, action, step)
        (self.readsObject, self.sendsContent, self.createsObject) = (readsObject, sendsContent, createsObject)
        (self.takesContentType, self.lengthHeader) = (takesContentType, lengthHeader)
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
