/// A request for a URL that grants access to one object for a limited time.
public struct StorageGetURLRequest: Sendable, Hashable {
    /// The object's key.
    public let path: StoragePath
    /// The options of the URL.
    public let options: Options

    /// Creates a request. By default the URL is a download that is valid for five hours.
    public init(path: StoragePath, options: Options = Options()) {
        self.path = path
        self.options = options
    }

    /// The options of a URL.
    public struct Options: Sendable, Hashable {
        /// The default lifetime: 18000 seconds (five hours).
        public static let defaultExpires = 18_000

        /// The lifetime of the URL in seconds, 1...604800.
        public let expires: Int
        /// The name of a bucket to use instead of the configured one.
        public let bucket: String?
        /// The S3-specific options, such as the method.
        public let pluginOptions: AWSStorageGetURLOptions?

        /// Creates options. All have a default.
        public init(
            expires: Int = Options.defaultExpires,
            bucket: String? = nil,
            pluginOptions: AWSStorageGetURLOptions? = nil
        ) {
            self.expires = expires
            self.bucket = bucket
            self.pluginOptions = pluginOptions
        }
    }
}

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
