/// All that a signature covers but for who signs, when, and for how long.
public struct SigningRequest: Sendable {
    /// What the URL allows.
    public let operation: AWSS3SigningOperation
    /// The object's key.
    public let key: StoragePath
    /// Where the URL points.
    public let endpoint: S3Endpoint
    /// The headers the client has to send.
    public let headers: SignedHeaders
    /// The parameters besides those of the signature.
    public let query: SignedQuery

    /// Collects the parts, without extra headers or parameters.
    ///
    /// - Throws: `StorageError.validation` for an empty key, or a part number or upload id that cannot be.
    public init(
        _ operation: AWSS3SigningOperation, key: StoragePath, at endpoint: S3Endpoint
    ) throws(StorageError) {
        try self.init(operation, key: key, at: endpoint, headers: .none, extraQuery: [])
    }

    /// Collects the parts.
    ///
    /// - Throws: `StorageError.validation` for an empty key, a part number, an upload id or a parameter that cannot be.
    public init(
        _ operation: AWSS3SigningOperation, key: StoragePath, at endpoint: S3Endpoint, headers: SignedHeaders,
        extraQuery: [(name: String, value: String)]
    ) throws(StorageError) {
        try Self.validate(operation, key)
        self.operation = operation
        self.key = key
        self.endpoint = endpoint
        self.headers = headers
        query = try SignedQuery(operation, extra: extraQuery)
    }

    package static func validate(_ operation: AWSS3SigningOperation, _ key: StoragePath) throws(StorageError) {
        guard !key.bytes.isEmpty else {
            throw .invalid("path", "It is empty.", "Give the key of an object, for example photos/cat.jpg.")
        }
        try operation.validate()
    }
}
