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
