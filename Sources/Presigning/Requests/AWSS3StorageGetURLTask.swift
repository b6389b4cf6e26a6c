/// A request for a pre-signed URL, performed in three steps: validate, check that the object exists, sign.
///
/// The task performs no I/O. For the existence check it returns a pre-signed HEAD request, which the caller sends.
public struct AWSS3StorageGetURLTask: Sendable {
    /// The operation that the URL allows.
    public let operation: AWSS3SigningOperation
    /// The object's key.
    public let key: StoragePath
    /// The bucket and its endpoints.
    public let bucket: S3Bucket
    /// The requested lifetime of the URL in seconds, 1...604800.
    public let expiresIn: Int
    /// The media type of an upload. Other operations ignore it.
    public let contentType: String?
    /// Whether to check that the object of a download exists. Other operations ignore it.
    public let validateObjectExistence: Bool
    /// Whether to use the transfer acceleration endpoint. `nil` uses the bucket's configuration.
    public let useAccelerateEndpoint: Bool?
    /// The headers to sign in addition to the content type.
    public let headers: [(name: String, value: String)]
    /// The query parameters to sign in addition to the operation's own.
    public let query: [(name: String, value: String)]
    /// The length in seconds of the windows in which a download's URL stays the same, 0...604799. 0 signs every URL
    /// with the current time. Operations other than GetObject and HeadObject ignore it.
    ///
    /// The URL lives up to this much longer than `expiresIn`. The window is shortened to what `expiresIn` leaves of 7
    /// days. Unless `query` sets `response-cache-control` or `response-expires`, the URL asks the storage for a
    /// `Cache-Control` that lets a browser keep the object for a window.
    public let window: Int

    /// Creates a task for any operation. The steps validate the arguments.
    public init(
        _ operation: AWSS3SigningOperation, key: StoragePath, in bucket: S3Bucket,
        expiresIn: Int = StorageGetURLRequest.Options.defaultExpires, contentType: String? = nil,
        headers: [(name: String, value: String)] = [], query: [(name: String, value: String)] = [],
        validateObjectExistence: Bool = false, useAccelerateEndpoint: Bool? = nil, window: Int = 0
    ) {
        self.operation = operation
        self.key = key
        self.bucket = bucket
        self.expiresIn = expiresIn
        self.contentType = contentType
        self.headers = headers
        self.query = query
        self.validateObjectExistence = validateObjectExistence
        self.useAccelerateEndpoint = useAccelerateEndpoint
        self.window = window
    }

    /// Creates a task for a download or an upload.
    ///
    /// If the request names another bucket, that bucket gets the configuration of `bucket`.
    /// - Throws: `StorageError.validation` if the configuration is invalid for the other bucket.
    public init(_ request: StorageGetURLRequest, in bucket: S3Bucket) throws(StorageError) {
        let plugin = request.options.pluginOptions ?? AWSStorageGetURLOptions()
        let named = if let name = request.options.bucket { try bucket.named(name) } else { bucket }
        self.init(
            AWSS3SigningOperation(plugin.method), key: request.path, in: named, expiresIn: request.options.expires,
            contentType: plugin.contentType, validateObjectExistence: plugin.validateObjectExistence,
            useAccelerateEndpoint: plugin.useAccelerateEndpoint)
    }
}
