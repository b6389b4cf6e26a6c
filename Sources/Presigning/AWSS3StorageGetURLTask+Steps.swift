extension AWSS3StorageGetURLTask {
    /// The first step: checks everything that can be checked without credentials.
    ///
    /// - Returns: what is to be signed, so that nothing is checked twice.
    /// - Throws: `StorageError.validation` naming the field, what is wrong with it and how to mend it.
    @discardableResult
    public func validate() throws(StorageError) -> SigningRequest {
        try URLLifetime.validate(expiresIn)
        return try SigningRequest(
            operation, key: key, at: bucket.endpoint(accelerated: useAccelerateEndpoint), headers: signedHeaders(),
            extraQuery: query)
    }

    /// The second step: the HEAD to perform before a URL is given; `nil` when none is wanted.
    ///
    /// Only a download has one. It is made for one object as the download sees it: its version, its customer-provided
    /// key, its owner and payer go along.
    /// - Parameter internalEndpoint: where the HEAD goes when the service reaches the store by another way than clients.
    public func existenceCheck(
        through internalEndpoint: S3Endpoint? = nil, with credentials: Credentials, at time: SigningTime,
        using presigner: inout Presigner
    ) throws(StorageError) -> PresignedURL? {
        guard operation == .getObject, validateObjectExistence else { return nil }
        let request = try validate()
        let head = try SigningRequest(
            .headObject, key: key, at: internalEndpoint ?? request.endpoint,
            headers: SignedHeaders(headers.filter { ExistenceCheck.keeps(header: $0.name) }),
            extraQuery: query.filter { ExistenceCheck.keeps(parameter: $0.name) })
        return try presigner.url(
            for: head, expiresIn: ExistenceCheck.lifetime, with: credentials, at: time)
    }

    /// The last step: signs the URL.
    public func url(
        with credentials: Credentials, at time: SigningTime, using presigner: inout Presigner
    ) throws(StorageError) -> PresignedURL {
        // The checks of `validate` in the same order, and no request of it: that counts a reference for each part.
        try URLLifetime.validate(expiresIn)
        guard let useAccelerateEndpoint else {
            return try url(at: bucket.endpoint.parts, with: credentials, at: time, using: &presigner)
        }
        let endpoint = try bucket.endpoint(accelerated: useAccelerateEndpoint)
        return try url(at: endpoint.parts, with: credentials, at: time, using: &presigner)
    }

    private func url(
        at endpoint: S3Endpoint.Parts, with credentials: Credentials, at time: SigningTime,
        using presigner: inout Presigner
    ) throws(StorageError) -> PresignedURL {
        try presigner.url(
            for: operation, of: key, at: endpoint, signedHeaders().parts, signedQuery().parts, expiresIn: expiresIn,
            with: credentials, at: time)
    }

    /// All steps, with the HEAD performed by whoever can.
    ///
    /// - Throws: `StorageError.keyNotFound` when the object has to exist and does not, and whatever `headObject` throws.
    public func execute(
        through internalEndpoint: S3Endpoint? = nil, with credentials: Credentials, at time: SigningTime,
        using presigner: inout Presigner, headObject: (PresignedURL) throws(StorageError) -> ObjectExistence
    ) throws(StorageError) -> PresignedURL {
        let check = try existenceCheck(through: internalEndpoint, with: credentials, at: time, using: &presigner)
        if let check, try headObject(check) == .notFound {
            throw .keyNotFound(key: key)
        }
        return try url(with: credentials, at: time, using: &presigner)
    }

    /// A content type is signed where the operation sets the object's type, and means nothing elsewhere.
    private func signedHeaders() throws(StorageError) -> SignedHeaders {
        guard operation.takesContentType, let contentType else {
            return headers.isEmpty ? .none : try SignedHeaders(headers)
        }
        let all = headers + [(name: "content-type", value: contentType)]
        let signed = try SignedHeaders(all)
        guard signed.headers.allSatisfy({ $0.name != "content-type" || !$0.value.isEmpty }) else {
            throw .invalid("contentType", "It is empty.", "Give a media type such as image/jpeg, or leave it out.")
        }
        return signed
    }

    /// The parameters, after the operation and the key are checked.
    private func signedQuery() throws(StorageError) -> SignedQuery {
        try SigningRequest.validate(operation, key)
        return operation.hasOwnQuery || !query.isEmpty ? try SignedQuery(operation, extra: query) : .none
    }
}
