/// The configuration of a bucket's endpoint.
public struct S3EndpointOptions: Sendable, Hashable {
    /// The requested position of the bucket in the URL.
    public enum Addressing: String, Sendable, Hashable, CaseIterable {
        /// On AWS the host if the bucket name allows it, otherwise the path. With a custom endpoint the path.
        case auto
        /// The host if the bucket name and the scheme allow it, otherwise the path.
        case virtual
        /// Always the path.
        case path
    }

    /// The S3 host of the region `us-east-1`.
    public enum USEast1Endpoint: String, Sendable, Hashable, CaseIterable {
        /// `s3.us-east-1.amazonaws.com`
        case regional
        /// `s3.amazonaws.com`, the original S3 host
        case legacy
    }

    /// The bucket's name.
    public var bucket: String
    /// The region in the credential scope, for example `eu-west-1`, or `auto` for some stores other than AWS.
    public var region: String
    /// The base URL of a store other than AWS, with the scheme `http` or `https`. `nil` selects AWS.
    public var endpoint: String?
    /// The requested position of the bucket in the URL.
    public var addressing: Addressing
    /// Whether to use the transfer acceleration endpoint.
    public var accelerate: Bool
    /// Whether to use the dual-stack endpoint, which supports IPv4 and IPv6.
    public var dualstack: Bool
    /// Whether to use the endpoint with FIPS 140 validated cryptography.
    public var fips: Bool
    /// The S3 host of the region `us-east-1`. Ignored for other regions.
    public var usEast1Endpoint: USEast1Endpoint

    /// Creates options. They are validated when an ``S3Endpoint`` or ``S3Bucket`` is created from them.
    public init(
        bucket: String, region: String, endpoint: String? = nil, addressing: Addressing = .auto,
        accelerate: Bool = false, dualstack: Bool = false, fips: Bool = false,
        usEast1Endpoint: USEast1Endpoint = .regional
    ) {
        self.bucket = bucket
        self.region = region
        self.endpoint = endpoint
        self.addressing = addressing
        self.accelerate = accelerate
        self.dualstack = dualstack
        self.fips = fips
        self.usEast1Endpoint = usEast1Endpoint
    }
}
