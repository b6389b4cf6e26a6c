extension AWSS3SigningOperation {
    /// Finds an operation by the name S3's API gives it, for example `uploadPart`.
    ///
    /// `nil` for an unknown name; what is missing becomes a value that signing refuses with its field's name.
    public init?(named name: String, uploadId: String? = nil, partNumber: Int? = nil) {
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
        default: return nil
        }
    }

    /// The names that `init(named:)` knows.
    package static let allNames = [
        "getObject", "putObject", "headObject", "deleteObject", "createMultipartUpload", "uploadPart",
        "completeMultipartUpload", "abortMultipartUpload", "listParts",
    ]

    /// The name S3's API gives the operation.
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
        }
    }
}
