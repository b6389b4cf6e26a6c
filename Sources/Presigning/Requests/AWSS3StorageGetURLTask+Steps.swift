extension AWSS3StorageGetURLTask {
    /// The first step: checks everything that can be checked without credentials.
    ///
    /// - Throws: `StorageError.validation` naming the field, what is wrong with it and how to fix it.
    public func validate() throws(StorageError) {
        _ = try signingRequest()
    }

    /// The second step: the HEAD to perform before the URL is given out; `nil` if none is needed.
    ///
    /// Only a download has one. It asks for the object as the download sees it: its version, its customer-provided
    /// key, its owner and payer go along.
    /// - Parameter internalEndpoint: where the service reaches the store, if that is not where clients do.
    public func existenceCheck(
        through internalEndpoint: S3Endpoint? = nil, with credentials: Credentials, at time: SigningTime,
        using presigner: inout Presigner
    ) throws(StorageError) -> PresignedURL? {
        guard operation == .getObject, validateObjectExistence else { return nil }
        let request = try signingRequest()
        let head = try SigningRequest(
            .headObject, key: key, at: internalEndpoint ?? request.endpoint,
            headers: SignedHeaders(headers.filter { ExistenceCheckRules.keeps(header: $0.name) }),
            query: query.filter { ExistenceCheckRules.keeps(parameter: $0.name) },
            expiresIn: ExistenceCheckRules.lifetime)
        return try presigner.url(for: head, with: credentials, at: time)
    }

    /// The last step: signs the URL, after the checks of ``validate()``.
    ///
    /// - Throws: what `validate` throws, and `StorageError.authError` for credentials that have expired.
    public func url(
        with credentials: Credentials, at time: SigningTime, using presigner: inout Presigner
    ) throws(StorageError) -> PresignedURL {
        try presigner.url(for: signingRequest(), with: credentials, at: time)
    }

    /// All steps in order.
    ///
    /// - Parameters:
    ///   - internalEndpoint: where the service reaches the store, if that is not where clients do.
    ///   - headObject: performs the HEAD of the existence check; not called if none is needed.
    /// - Throws: `StorageError.keyNotFound` if the object must exist and does not, and what the steps and `headObject`
    ///   throw.
    public func execute(
        through internalEndpoint: S3Endpoint? = nil, with credentials: Credentials, at time: SigningTime,
        using presigner: inout Presigner, headObject: (PresignedURL) throws(StorageError) -> HeadObjectResult
    ) throws(StorageError) -> PresignedURL {
        let check = try existenceCheck(through: internalEndpoint, with: credentials, at: time, using: &presigner)
        if let check, try headObject(check) == .notFound {
            throw .keyNotFound(key: key)
        }
        return try url(with: credentials, at: time, using: &presigner)
    }

    /// What the task signs.
    func signingRequest() throws(StorageError) -> SigningRequest {
        try SigningRequest(
            operation, key: key, at: bucket.endpoint(accelerated: useAccelerateEndpoint), headers: signedHeaders(),
            query: query, expiresIn: expiresIn)
    }

    /// The content type is signed where the operation sets the object's type; elsewhere it is ignored.
    private func signedHeaders() throws(StorageError) -> SignedHeaders {
        guard operation.takesContentType, let contentType else {
            return headers.isEmpty ? .none : try SignedHeaders(headers)
        }
        let signed = try SignedHeaders(headers + [(name: "content-type", value: contentType)])
        guard signed.headers.allSatisfy({ $0.name != "content-type" || !$0.value.isEmpty }) else {
            throw .invalid("contentType", "It is empty.", "Give a media type such as image/jpeg, or leave it out.")
        }
        return signed
    }
}
