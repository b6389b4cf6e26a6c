/// The S3-specific options of a ``StorageGetURLRequest``.
public struct AWSStorageGetURLOptions: Sendable, Hashable {
    /// The access to grant, by default a download.
    public let method: StorageAccessMethod
    /// The media type of an upload. It is signed, so S3 rejects any other type. Downloads ignore it.
    public let contentType: String?
    /// Whether to check that the object of a download exists. Uploads ignore it.
    public let validateObjectExistence: Bool
    /// Whether to use the transfer acceleration endpoint. `nil` uses the bucket's configuration.
    public let useAccelerateEndpoint: Bool?

    /// Creates options. All have a default.
    public init(
        method: StorageAccessMethod = .get,
        contentType: String? = nil,
        validateObjectExistence: Bool = false,
        useAccelerateEndpoint: Bool? = nil
    ) {
        self.method = method
        self.contentType = contentType
        self.validateObjectExistence = validateObjectExistence
        self.useAccelerateEndpoint = useAccelerateEndpoint
    }
}
