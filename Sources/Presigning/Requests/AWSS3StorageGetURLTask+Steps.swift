extension AWSS3StorageGetURLTask {
    /// Validates the request: everything that can be checked without credentials.
    ///
    /// This is the first step.
    /// - Throws: `StorageError.validation` with the invalid field.
    public func validate() throws(StorageError) {
        _ = try bucket.endpoint(accelerated: useAccelerateEndpoint)
        _ = try signedParts()
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
    /// - Throws: `StorageError.validation` if a part that the HEAD repeats is invalid, and `StorageError.authError` if
    ///   the credentials have expired.
    public func existenceCheck(
        through internalEndpoint: S3Endpoint? = nil, with credentials: Credentials, at time: SigningTime,
        using presigner: inout Presigner
    ) throws(StorageError) -> PresignedURL? {
        guard operation == .getObject, validateObjectExistence else { return nil }
        let endpoint =
            if let internalEndpoint { internalEndpoint } else {
                try bucket.endpoint(accelerated: useAccelerateEndpoint)
            }
        let head = AWSS3StorageGetURLTask(
            .headObject, key: key, in: bucket, expiresIn: ExistenceCheckRules.lifetime,
            headers: headers.filter { ExistenceCheckRules.keeps(header: $0.name) },
            query: query.filter { ExistenceCheckRules.keeps(parameter: $0.name) })
        return try presigner.url(for: head, at: endpoint, with: credentials, at: time)
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
        try presigner.url(
            for: self, at: bucket.endpoint(accelerated: useAccelerateEndpoint), with: credentials, at: time)
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
        try validate()
        let check = try existenceCheck(through: internalEndpoint, with: credentials, at: time, using: &presigner)
        if let check, try headObject(check) == .notFound {
            throw .keyNotFound(key: key)
        }
        return try url(with: credentials, at: time, using: &presigner)
    }

    /// Validates the task and returns its headers and its query as they are signed.
    ///
    /// - Throws: `StorageError.validation` for the first invalid part, in this order: headers, `expiresIn`, window, key,
    ///   part number, upload id, query parameters.
    func signedParts() throws(StorageError) -> (headers: SignedHeaders, query: SignedQuery) {
        let headers = try signedHeaders()
        try URLLifetime.validate(expiresIn)
        if readsObject { try URLWindow.validate(window) }
        guard key.bytes.isEmpty == operation.isForBucket else {
            throw operation.isForBucket
                ? .invalid("path", "The operation addresses the bucket.", "Leave the path empty.")
                : .invalid("path", "It is empty.", "Use the key of an object, for example photos/cat.jpg.")
        }
        try operation.validate()
        return (headers, try SignedQuery(operation, extra: fittingWindow == 0 ? query : cachingQuery))
    }

    /// The window in seconds in which the URL stays the same; 0 for none.
    var fittingWindow: Int { readsObject ? URLWindow.fitting(window, lifetime: expiresIn) : 0 }

    private var readsObject: Bool { operation == .getObject || operation == .headObject }

    /// The query of a URL with a window. It is the same in the whole window, so its `max-age` is the window's length
    /// and not what is left of it.
    private var cachingQuery: [(name: String, value: String)] {
        let isSet = query.contains { $0.name == "response-cache-control" || $0.name == "response-expires" }
        return isSet ? query : query + [("response-cache-control", "private, max-age=\(fittingWindow)")]
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
