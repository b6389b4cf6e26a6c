extension AWSS3StorageGetURLTask {
    /// The first step: checks everything that can be checked without credentials.
    ///
    /// - Returns: what is to be signed, so that nothing is checked twice.
    /// - Throws: `StorageError.validation` naming the field, what is wrong with it and how to mend it.
    @discardableResult
    public func validate() throws(StorageError) -> SigningRequest {
        try URLLifetime.validate(expiresIn)
        return try SigningRequest(
            operation, key: key, at: bucket.endpoint(accelerated: useAccelerateEndpoint),
            headers: .of(operation, headers, contentType), extraQuery: query)
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
            headers: SignedHeaders(headers.filter { ExistenceCheckRules.keeps(header: $0.name) }),
            extraQuery: query.filter { ExistenceCheckRules.keeps(parameter: $0.name) })
        return try presigner.url(
            for: head, expiresIn: ExistenceCheckRules.lifetime, with: credentials, at: time)
    }

    /// The last step: signs the URL.
    public func url(
        with credentials: Credentials, at time: SigningTime, using presigner: inout Presigner
    ) throws(StorageError) -> PresignedURL {
        try presigner.url(
            for: operation, of: key, in: bucket, expiresIn: expiresIn, contentType: contentType, headers: headers,
            query: query, useAccelerateEndpoint: useAccelerateEndpoint, with: credentials, at: time)
    }

    /// All steps, with the HEAD performed by whoever can.
    ///
    /// - Throws: `StorageError.keyNotFound` when the object has to exist and does not, and whatever `headObject` throws.
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
}

extension SignedHeaders {
    /// A content type is signed where the operation sets the object's type, and means nothing elsewhere.
    fileprivate static func of(
        _ operation: AWSS3SigningOperation, _ headers: [(name: String, value: String)], _ contentType: String?
    ) throws(StorageError) -> SignedHeaders {
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

extension SignedQuery {
    /// The parameters, after the operation and the key are checked.
    fileprivate static func of(
        _ operation: AWSS3SigningOperation, _ key: StoragePath, _ extra: [(name: String, value: String)]
    ) throws(StorageError) -> SignedQuery {
        try SigningRequest.validate(operation, key)
        return operation.hasOwnQuery || !extra.isEmpty ? try SignedQuery(operation, extra: extra) : .none
    }
}

extension Presigner {
    /// Signs what a task asks for, given by its parts: to make a task that is signed at once would count each of them.
    package mutating func url(
        for operation: AWSS3SigningOperation, of key: StoragePath, in bucket: S3Bucket, expiresIn: Int,
        contentType: String?, headers: [(name: String, value: String)], query: [(name: String, value: String)],
        useAccelerateEndpoint: Bool?, with credentials: Credentials, at time: SigningTime
    ) throws(StorageError) -> PresignedURL {
        // The checks of `validate` in the same order, and no request of it, for the same reason.
        try URLLifetime.validate(expiresIn)
        guard let useAccelerateEndpoint else {
            return try url(
                for: operation, of: key, at: bucket.endpoint.parts, expiresIn: expiresIn, contentType: contentType,
                headers: headers, query: query, with: credentials, at: time)
        }
        let endpoint = try bucket.endpoint(accelerated: useAccelerateEndpoint)
        return try url(
            for: operation, of: key, at: endpoint.parts, expiresIn: expiresIn, contentType: contentType,
            headers: headers, query: query, with: credentials, at: time)
    }

    @inline(__always)
    private mutating func url(
        for operation: AWSS3SigningOperation, of key: StoragePath, at endpoint: S3Endpoint.Parts, expiresIn: Int,
        contentType: String?, headers: [(name: String, value: String)], query: [(name: String, value: String)],
        with credentials: Credentials, at time: SigningTime
    ) throws(StorageError) -> PresignedURL {
        try url(
            for: operation, of: key, at: endpoint, SignedHeaders.of(operation, headers, contentType).parts,
            SignedQuery.of(operation, key, query).parts, expiresIn: expiresIn, with: credentials, at: time)
    }
}
