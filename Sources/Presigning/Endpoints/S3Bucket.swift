/// One configured bucket with its endpoints, worked out once: the plain one, and the accelerated one where there is one.
public struct S3Bucket: Sendable {
    private let parts: Parts

    /// All there is, behind one reference, as a bucket is often passed on.
    private final class Parts: Sendable {
        let endpoint: S3Endpoint
        /// The endpoint with acceleration turned the other way, or why there is none.
        let alternative: Result<S3Endpoint, StorageError>

        init(_ endpoint: S3Endpoint, _ alternative: Result<S3Endpoint, StorageError>) {
            self.endpoint = endpoint
            self.alternative = alternative
        }
    }

    /// Works the endpoints out; a configuration that cannot work is refused.
    public init(_ options: S3EndpointOptions) throws(StorageError) {
        let endpoint = try S3Endpoint(options)
        var other = options
        other.accelerate.toggle()
        let toggled = other
        parts = Parts(endpoint, Result { () throws(StorageError) in try S3Endpoint(toggled) })
    }

    /// The endpoint that the configuration says.
    public var endpoint: S3Endpoint { parts.endpoint }

    /// The bucket's name.
    public var name: String { endpoint.parts.options.bucket }

    /// The endpoint with or without acceleration; `nil` leaves that to the configuration.
    public func endpoint(accelerated: Bool?) throws(StorageError) -> S3Endpoint {
        guard let accelerated, accelerated != endpoint.options.accelerate else { return endpoint }
        return try parts.alternative.get()
    }

    /// The same configuration for a bucket of another name.
    public func named(_ name: String) throws(StorageError) -> S3Bucket {
        guard !name.utf8.elementsEqual(self.name.utf8) else { return self }
        var options = endpoint.options
        options.bucket = name
        return try S3Bucket(options)
    }
}
