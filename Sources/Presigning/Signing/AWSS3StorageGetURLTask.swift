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
    /// The operation's row in the table of operations.
    let traits: OperationTraits

    /// Creates a task for any operation. The steps validate the arguments.
    public init(
        _ operation: AWSS3SigningOperation, key: StoragePath, in bucket: S3Bucket,
        expiresIn: Int = StorageGetURLRequest.Options.defaultExpires, contentType: String? = nil,
        headers: [(name: String, value: String)] = [], query: [(name: String, value: String)] = [],
        validateObjectExistence: Bool = false, useAccelerateEndpoint: Bool? = nil, window: Int = 0
    ) {
        self.operation = operation
        traits = operation.traits
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
        return try presigner.url(for: head, head.signedParts(), at: endpoint, with: credentials, at: time)
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
        let endpoint = try bucket.endpoint(accelerated: useAccelerateEndpoint)
        return try presigner.url(for: self, signedParts(), at: endpoint, with: credentials, at: time)
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
        guard key.bytes.isEmpty == (traits.action == .list) else {
            throw traits.action == .list
                ? .invalid("path", "The operation addresses the bucket.", "Leave the path empty.")
                : .invalid("path", "It is empty.", "Use the key of an object, for example photos/cat.jpg.")
        }
        try operation.validate()
        return (headers, try SignedQuery(operation, extra: fittingWindow == 0 ? query : cachingQuery))
    }

    /// The window in seconds in which the URL stays the same; 0 for none.
    var fittingWindow: Int { readsObject ? URLWindow.fitting(window, lifetime: expiresIn) : 0 }

    private var readsObject: Bool { traits.readsObject }

    /// The query of a URL with a window. It is the same in the whole window, so its `max-age` is the window's length
    /// and not what is left of it.
    private var cachingQuery: [(name: String, value: String)] {
        let isSet = query.contains { $0.name == "response-cache-control" || $0.name == "response-expires" }
        return isSet ? query : query + [("response-cache-control", "private, max-age=\(fittingWindow)")]
    }

    /// Returns the headers to sign, with the content type if the operation takes one.
    private func signedHeaders() throws(StorageError) -> SignedHeaders {
        guard traits.takesContentType, let contentType else {
            return headers.isEmpty ? .none : try SignedHeaders(headers)
        }
        let signed = try SignedHeaders(headers + [(name: "content-type", value: contentType)])
        guard signed.headers.allSatisfy({ $0.name != "content-type" || !$0.value.isEmpty }) else {
            throw .invalid("contentType", "It is empty.", "Use a media type such as image/jpeg, or leave it out.")
        }
        return signed
    }
}

/// The headers and parameters of a download that its existence check repeats.
package enum ExistenceCheckRules {
    /// The lifetime of the URL for the HEAD request in seconds. The request is sent immediately.
    package static let lifetime = 60

    static func keeps(header name: String) -> Bool {
        let name = HeaderRules.lowercased(name)
        return name.utf8.starts(with: "x-amz-server-side-encryption-customer-".utf8)
            || ["x-amz-request-payer", "x-amz-expected-bucket-owner"].contains(name)
    }

    static func keeps(parameter name: String) -> Bool {
        name == "versionId"
    }
}

/// The result of a HEAD request for an object.
public enum HeadObjectResult: Sendable, Hashable {
    /// The object exists.
    case exists
    /// No object exists at the key.
    case notFound
}
