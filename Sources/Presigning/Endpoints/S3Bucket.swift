/// A bucket with its resolved endpoints: one with transfer acceleration and one without.
public struct S3Bucket: Sendable {
    private let parts: Parts

    private final class Parts: Sendable {
        let endpoint: S3Endpoint
        /// The endpoint with `accelerate` toggled, or the error that makes it unavailable.
        let alternative: Result<S3Endpoint, StorageError>

        init(_ endpoint: S3Endpoint, _ alternative: Result<S3Endpoint, StorageError>) {
            self.endpoint = endpoint
            self.alternative = alternative
        }
    }

    /// Resolves the endpoints of a bucket.
    ///
    /// - Throws: `StorageError.validation` with the option to change.
    public init(_ options: S3EndpointOptions) throws(StorageError) {
        let endpoint = try S3Endpoint(options)
        var other = options
        other.accelerate.toggle()
        let toggled = other
        let alternative = Result { () throws(StorageError) in try S3Endpoint(toggled) }
        parts = Parts(endpoint, alternative.mapError(Self.requestError))
    }

    /// The endpoint that the options select.
    public var endpoint: S3Endpoint { parts.endpoint }

    /// The bucket's name.
    public var name: String { endpoint.parts.options.bucket }

    /// Returns the endpoint with or without transfer acceleration. `nil` selects the configured one.
    ///
    /// - Throws: `StorageError.validation` of the request's `useAccelerateEndpoint` if the options do not allow
    ///   transfer acceleration.
    public func endpoint(accelerated: Bool?) throws(StorageError) -> S3Endpoint {
        guard let accelerated, accelerated != endpoint.options.accelerate else { return endpoint }
        return try parts.alternative.get()
    }

    /// Returns the error of a request whose `useAccelerateEndpoint` contradicts the options.
    private static func requestError(_ error: StorageError) -> StorageError {
        guard case .validation(_, let description, _) = error else { return error }
        return .invalid("useAccelerateEndpoint", description, "Leave out useAccelerateEndpoint.")
    }

    /// Returns a bucket of another name with otherwise the same options.
    ///
    /// - Throws: `StorageError.validation` if the options are invalid for the name, or if the endpoint is the bucket.
    public func named(_ name: String) throws(StorageError) -> S3Bucket {
        guard !name.utf8.elementsEqual(self.name.utf8) else { return self }
        var options = endpoint.options
        guard options.addressing != .domain else {
            throw .invalid("bucket", "The endpoint is another bucket.", "Leave out the bucket, or name \(self.name).")
        }
        options.bucket = name
        return try S3Bucket(options)
    }
}
