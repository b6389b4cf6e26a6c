/// Has the options of ``PresignStorage/uploadData(path:data:options:)``.
public enum StorageUploadDataRequest {
    /// The options of ``PresignStorage/uploadData(path:data:options:)``.
    public typealias Options = StorageUploadOptions
}

/// Has the options of ``PresignStorage/uploadFile(path:local:options:)``.
public enum StorageUploadFileRequest {
    /// The options of ``PresignStorage/uploadFile(path:local:options:)``.
    public typealias Options = StorageUploadOptions
}

/// The options of an upload.
public struct StorageUploadOptions: Codable, Sendable, Equatable {
    /// Metadata of the object (`x-amz-meta-*`), printable ASCII.
    public var metadata: [String: String]?
    /// Nil for `application/octet-stream`.
    public var contentType: String?
    /// The header `Cache-Control` that the storage keeps with the object.
    public var cacheControl: String?
    /// The header `Content-Disposition` that the storage keeps with the object.
    public var contentDisposition: String?
    /// The header `Content-Encoding` that the storage keeps with the object.
    public var contentEncoding: String?
    /// The header `Content-Language` that the storage keeps with the object.
    public var contentLanguage: String?
    /// Whether the upload fails if an object exists at the path. A rule can also require that.
    public var preventOverwrite: Bool
    /// Whether to send a SHA-256 with the file or with each part, so that the storage refuses changed bytes. Nil if the
    /// rule decides.
    public var checksum: Bool?
    /// The lifetime of the URLs in seconds. Nil for the service's default.
    public var expires: Int?
    /// Whether to use S3 Transfer Acceleration. Nil for the store's setting.
    public var useAccelerateEndpoint: Bool?

    /// Creates options; each has the service's or the rule's default unless given.
    public init(
        metadata: [String: String]? = nil, contentType: String? = nil, cacheControl: String? = nil,
        contentDisposition: String? = nil, contentEncoding: String? = nil, contentLanguage: String? = nil,
        preventOverwrite: Bool = false, checksum: Bool? = nil, expires: Int? = nil, useAccelerateEndpoint: Bool? = nil
    ) {
        self.metadata = metadata
        self.contentType = contentType
        self.cacheControl = cacheControl
        self.contentDisposition = contentDisposition
        self.contentEncoding = contentEncoding
        self.contentLanguage = contentLanguage
        self.preventOverwrite = preventOverwrite
        self.checksum = checksum
        self.expires = expires
        self.useAccelerateEndpoint = useAccelerateEndpoint
    }
}

/// Has the options of ``PresignStorage/downloadData(path:options:)``.
public enum StorageDownloadDataRequest {
    /// The options of ``PresignStorage/downloadData(path:options:)``.
    public typealias Options = StorageDownloadOptions
}

/// Has the options of ``PresignStorage/downloadFile(path:local:options:)``.
public enum StorageDownloadFileRequest {
    /// The options of ``PresignStorage/downloadFile(path:local:options:)``.
    public typealias Options = StorageDownloadOptions
}

/// The options of a download.
public struct StorageDownloadOptions: Codable, Sendable, Equatable {
    /// Whether to use S3 Transfer Acceleration. Nil for the store's setting.
    public var useAccelerateEndpoint: Bool?

    /// Creates options.
    public init(useAccelerateEndpoint: Bool? = nil) {
        self.useAccelerateEndpoint = useAccelerateEndpoint
    }
}
