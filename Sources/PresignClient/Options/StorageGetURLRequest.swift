/// Has the options of ``PresignStorage/getURL(path:options:)``.
public enum StorageGetURLRequest {
    /// The options of ``PresignStorage/getURL(path:options:)``.
    public struct Options: Sendable {
        /// The lifetime of the URL in seconds, 1 to 604,800. Nil for the service's default, which is 18,000 unless
        /// configured.
        public var expires: Int?
        /// The method and more.
        public var pluginOptions: AWSStorageGetURLOptions

        /// Creates options; each has the service's default unless given.
        public init(expires: Int? = nil, pluginOptions: AWSStorageGetURLOptions = AWSStorageGetURLOptions()) {
            self.expires = expires
            self.pluginOptions = pluginOptions
        }
    }
}

/// The method that a URL is signed for.
public enum StorageAccessMethod: String, Sendable {
    /// Downloads the object.
    case get = "GET"
    /// Uploads the object.
    case put = "PUT"
}

/// Further options of ``PresignStorage/getURL(path:options:)``.
public struct AWSStorageGetURLOptions: Sendable {
    /// Whether to fail with ``StorageError/keyNotFound(_:_:_:_:)`` if no object exists. Nil for the store's setting.
    public var validateObjectExistence: Bool?
    /// The method that the URL is signed for.
    public var method: StorageAccessMethod
    /// With ``StorageAccessMethod/put``: the only content type that the storage accepts. The request must send it.
    public var contentType: String?
    /// Whether to use S3 Transfer Acceleration. Nil for the store's setting.
    public var useAccelerateEndpoint: Bool?

    /// Creates options; each has the service's default unless given.
    public init(
        validateObjectExistence: Bool? = nil, method: StorageAccessMethod = .get, contentType: String? = nil,
        useAccelerateEndpoint: Bool? = nil
    ) {
        self.validateObjectExistence = validateObjectExistence
        self.method = method
        self.contentType = contentType
        self.useAccelerateEndpoint = useAccelerateEndpoint
    }
}
