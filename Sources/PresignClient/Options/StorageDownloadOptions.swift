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
