/// All that a signature covers except who signs and when; every part is checked.
struct SigningRequest: Sendable {
    /// What the URL allows.
    let operation: AWSS3SigningOperation
    /// The object's key.
    let key: StoragePath
    /// Where the URL points.
    let endpoint: S3Endpoint
    /// The headers the client has to send.
    let headers: SignedHeaders
    /// The parameters besides those of the signature.
    let query: SignedQuery
    /// Seconds the URL is to be valid.
    let expiresIn: Int

    /// Checks and collects the parts.
    ///
    /// - Parameter query: parameters besides the operation's own.
    /// - Throws: `StorageError.validation` naming the first of these that is invalid: `expiresIn`, the key, part number
    ///   and upload id, a parameter.
    init(
        _ operation: AWSS3SigningOperation, key: StoragePath, at endpoint: S3Endpoint, headers: SignedHeaders,
        query: [(name: String, value: String)], expiresIn: Int
    ) throws(StorageError) {
        try URLLifetime.validate(expiresIn)
        guard !key.bytes.isEmpty else {
            throw .invalid("path", "It is empty.", "Give the key of an object, for example photos/cat.jpg.")
        }
        try operation.validate()
        self.operation = operation
        self.key = key
        self.endpoint = endpoint
        self.headers = headers
        self.query = try SignedQuery(operation, extra: query)
        self.expiresIn = expiresIn
    }
}
