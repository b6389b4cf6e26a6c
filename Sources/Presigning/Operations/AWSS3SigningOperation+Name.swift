extension AWSS3SigningOperation {
    /// Creates the operation with the given name in lower camel case, for example `uploadPart`.
    ///
    /// Returns `nil` for an unknown name. A missing upload id or part number becomes an invalid value, so that signing
    /// reports the field. A missing prefix lists the whole bucket.
    public init?(named name: String, uploadId: String? = nil, partNumber: Int? = nil, prefix: String? = nil) {
        let uploadId = uploadId ?? ""
        switch name {
        case "getObject": self = .getObject
        case "putObject": self = .putObject
        case "headObject": self = .headObject
        case "deleteObject": self = .deleteObject
        case "createMultipartUpload": self = .createMultipartUpload
        case "uploadPart": self = .uploadPart(partNumber: partNumber ?? 0, uploadId: uploadId)
        case "completeMultipartUpload": self = .completeMultipartUpload(uploadId: uploadId)
        case "abortMultipartUpload": self = .abortMultipartUpload(uploadId: uploadId)
        case "listParts": self = .listParts(uploadId: uploadId)
        case "listObjectsV2": self = .listObjectsV2(prefix: prefix ?? "")
        default: return nil
        }
    }

    /// The names that `init(named:)` accepts.
    package static let allNames = [
        "getObject", "putObject", "headObject", "deleteObject", "createMultipartUpload", "uploadPart",
        "completeMultipartUpload", "abortMultipartUpload", "listParts", "listObjectsV2",
    ]

    /// The operation's name in the S3 API, in lower camel case.
    public var name: String {
        switch self {
        case .getObject: "getObject"
        case .putObject: "putObject"
        case .headObject: "headObject"
        case .deleteObject: "deleteObject"
        case .createMultipartUpload: "createMultipartUpload"
        case .uploadPart: "uploadPart"
        case .completeMultipartUpload: "completeMultipartUpload"
        case .abortMultipartUpload: "abortMultipartUpload"
        case .listParts: "listParts"
        case .listObjectsV2: "listObjectsV2"
        }
    }
}
