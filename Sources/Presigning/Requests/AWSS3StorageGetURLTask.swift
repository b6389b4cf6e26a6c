/// One request for a URL, answered in three steps: validate, check that the object exists, sign.
///
/// The task is a value and does no I/O: the existence check is a pre-signed HEAD for the caller to perform.
public struct AWSS3StorageGetURLTask: Sendable {
    /// What the URL will allow.
    public let operation: AWSS3SigningOperation
    /// The object's key.
    public let key: StoragePath
    /// The bucket and its endpoints.
    public let bucket: S3Bucket
    /// Seconds the URL is to be valid.
    public let expiresIn: Int
    /// The media type of an upload.
    public let contentType: String?
    /// Whether a download needs an object that exists.
    public let validateObjectExistence: Bool
    /// Whether to use transfer acceleration; `nil` leaves it to the bucket's configuration.
    public let useAccelerateEndpoint: Bool?
    /// Headers to sign, besides the content type.
    public let headers: [(name: String, value: String)]
    /// Parameters to sign, besides the operation's own.
    public let query: [(name: String, value: String)]

    /// A task for any operation.
    public init(
        _ operation: AWSS3SigningOperation, key: StoragePath, in bucket: S3Bucket,
        expiresIn: Int = StorageGetURLRequest.Options.defaultExpires, contentType: String? = nil,
        headers: [(name: String, value: String)] = [], query: [(name: String, value: String)] = [],
        validateObjectExistence: Bool = false, useAccelerateEndpoint: Bool? = nil
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
    }

    /// A task for a download or an upload; another bucket's name in the request is put into the same configuration.
    public init(_ request: StorageGetURLRequest, in bucket: S3Bucket) throws(StorageError) {
        let plugin = request.options.pluginOptions ?? AWSStorageGetURLOptions()
        let named = if let name = request.options.bucket { try bucket.named(name) } else { bucket }
        self.init(
            AWSS3SigningOperation(plugin.method), key: request.path, in: named, expiresIn: request.options.expires,
            contentType: plugin.contentType, validateObjectExistence: plugin.validateObjectExistence,
            useAccelerateEndpoint: plugin.useAccelerateEndpoint)
    }
}
