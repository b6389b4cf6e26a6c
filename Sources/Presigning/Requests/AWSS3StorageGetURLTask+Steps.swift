extension AWSS3StorageGetURLTask {
    /// Validates the request: everything that can be checked without credentials.
    ///
    /// This is the first step.
    /// - Throws: `StorageError.validation` with the invalid field.
    public func validate() throws(StorageError) {
        _ = try signingRequest()
    }

    /// Returns the signed HEAD request that checks whether the object exists, or `nil` if no check is needed.
    ///
    /// This is the second step. Only downloads with `validateObjectExistence` have a check. The HEAD repeats the
    /// version, customer-provided key, expected owner and payer of the download, so that it finds the same object.
    /// - Parameters:
    ///   - internalEndpoint: the endpoint through which the service reaches the store, if clients use another one.
    ///   - credentials: the credentials that sign the request.
    ///   - time: the current time.
    ///   - presigner: caches derived signing keys.
    /// - Throws: the errors of ``validate()``, and `StorageError.authError` if the credentials have expired.
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

    /// Validates the request and signs the URL.
    ///
    /// This is the last step.
    /// - Parameters:
    ///   - credentials: the credentials that sign the URL.
    ///   - time: the current time. The URL is valid from then on, or from the start of its window.
    ///   - presigner: caches derived signing keys.
    /// - Throws: the errors of ``validate()``, and `StorageError.authError` if the credentials have expired.
    public func url(
        with credentials: Credentials, at time: SigningTime, using presigner: inout Presigner
    ) throws(StorageError) -> PresignedURL {
        try presigner.url(for: signingRequest(), with: credentials, at: time)
    }

    /// Performs all steps in order: validates the request, checks that the object exists, and signs the URL.
    ///
    /// - Parameters:
    ///   - internalEndpoint: the endpoint through which the service reaches the store, if clients use another one.
    ///   - credentials: the credentials that sign the URL and the HEAD request.
    ///   - time: the current time, from which the URL is valid.
    ///   - presigner: caches derived signing keys.
    ///   - headObject: performs the HEAD request of the existence check. Not called if no check is needed.
    /// - Throws: `StorageError.keyNotFound` if the existence check finds no object, and the errors of the steps and of
    ///   `headObject`.
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

    /// Returns the validated request that the task signs.
    func signingRequest() throws(StorageError) -> SigningRequest {
        let readsObject = operation == .getObject || operation == .headObject
        return try SigningRequest(
            operation, key: key, at: bucket.endpoint(accelerated: useAccelerateEndpoint), headers: signedHeaders(),
            query: window != 0 && readsObject ? cachingQuery : query, expiresIn: expiresIn,
            window: readsObject ? window : 0)
    }

    /// The query of a URL with a window. It is the same in the whole window, so its `max-age` is the window's length
    /// and not what is left of it.
    private var cachingQuery: [(name: String, value: String)] {
        let seconds = URLWindow.fitting(window, lifetime: expiresIn)
        let isSet = query.contains { $0.name == "response-cache-control" || $0.name == "response-expires" }
        return isSet || seconds == 0 ? query : query + [("response-cache-control", "private, max-age=\(seconds)")]
    }

    /// Returns the headers to sign, with the content type if the operation takes one.
    private func signedHeaders() throws(StorageError) -> SignedHeaders {
        guard operation.takesContentType, let contentType else {
            return headers.isEmpty ? .none : try SignedHeaders(headers)
        }
        let signed = try SignedHeaders(headers + [(name: "content-type", value: contentType)])
        guard signed.headers.allSatisfy({ $0.name != "content-type" || !$0.value.isEmpty }) else {
            throw .invalid("contentType", "It is empty.", "Use a media type such as image/jpeg, or leave it out.")
        }
        return signed
    }
}
