/// A validated request to sign: everything the signature covers except credentials and time.
struct SigningRequest: Sendable {
    /// The operation that the URL allows.
    let operation: AWSS3SigningOperation
    /// The object's key.
    let key: StoragePath
    /// The endpoint of the bucket.
    let endpoint: S3Endpoint
    /// The headers that the client must send.
    let headers: SignedHeaders
    /// The query parameters other than those of the signature.
    let query: SignedQuery
    /// The requested lifetime of the URL in seconds.
    let expiresIn: Int
    /// The window in seconds in which the URL stays the same; 0 for none.
    let window: Int

    /// Validates the parts.
    ///
    /// - Parameters:
    ///   - query: parameters in addition to the operation's own.
    ///   - window: shortened if it does not fit `expiresIn`.
    /// - Throws: `StorageError.validation` for the first invalid part, in this order: `expiresIn`, window, key, part
    ///   number, upload id, query parameters.
    init(
        _ operation: AWSS3SigningOperation, key: StoragePath, at endpoint: S3Endpoint, headers: SignedHeaders,
        query: [(name: String, value: String)], expiresIn: Int, window: Int = 0
    ) throws(StorageError) {
        try URLLifetime.validate(expiresIn)
        try URLWindow.validate(window)
        guard !key.bytes.isEmpty else {
            throw .invalid("path", "It is empty.", "Use the key of an object, for example photos/cat.jpg.")
        }
        try operation.validate()
        let query = try SignedQuery(operation, extra: query)
        self.operation = operation
        self.key = key
        self.endpoint = endpoint
        self.headers = headers
        self.query = query
        self.expiresIn = expiresIn
        self.window = URLWindow.fitting(window, lifetime: expiresIn)
    }
}
