/// A wish for a URL that gives access to one object for a limited time.
public struct StorageGetURLRequest: Sendable, Hashable {
    /// The object's key.
    public let path: StoragePath
    /// How the URL is made.
    public let options: Options

    /// Describes the wish; without options the URL is a download, valid for five hours.
    public init(path: StoragePath, options: Options = Options()) {
        self.path = path
        self.options = options
    }

    /// How the URL is made.
    public struct Options: Sendable, Hashable {
        /// The lifetime used when none is asked for: 18000 seconds, five hours.
        public static let defaultExpires = 18_000

        /// Seconds the URL is valid, 1...604800.
        public let expires: Int
        /// Another bucket than the configured one, by name.
        public let bucket: String?
        /// What is particular to S3, the method among it.
        public let pluginOptions: AWSStorageGetURLOptions?

        /// Collects the options; each has its default.
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
