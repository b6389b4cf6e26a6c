/// One configured bucket with its endpoints, worked out once: the plain one, and the accelerated one where there is one.
public struct S3Bucket: Sendable {
    /// The endpoint that the configuration says.
    public let endpoint: S3Endpoint
    private let alternative: Alternative

    /// The endpoint with acceleration turned the other way, or why there is none; behind one reference, as it is seldom
    /// wanted and the bucket is often passed on.
    private final class Alternative: Sendable {
        let endpoint: Result<S3Endpoint, StorageError>

        init(_ endpoint: Result<S3Endpoint, StorageError>) {
            self.endpoint = endpoint
        }
    }

    /// Works the endpoints out; a configuration that cannot work is refused.
    public init(_ options: S3EndpointOptions) throws(StorageError) {
        endpoint = try S3Endpoint(options)
        var other = options
        other.accelerate.toggle()
        let toggled = other
        alternative = Alternative(Result { () throws(StorageError) in try S3Endpoint(toggled) })
    }

    /// The bucket's name.
    public var name: String { endpoint.parts.options.bucket }

    /// The endpoint with or without acceleration; `nil` leaves that to the configuration.
    public func endpoint(accelerated: Bool?) throws(StorageError) -> S3Endpoint {
        guard let accelerated, accelerated != endpoint.options.accelerate else { return endpoint }
        return try alternative.endpoint.get()
    }

    /// The same configuration for a bucket of another name.
    public func named(_ name: String) throws(StorageError) -> S3Bucket {
        guard !name.utf8.elementsEqual(self.name.utf8) else { return self }
        var options = endpoint.options
        options.bucket = name
        return try S3Bucket(options)
    }
}
