/// Where a bucket lives and how its URLs are to be written, as a configuration says it.
public struct S3EndpointOptions: Sendable, Hashable {
    /// How a bucket gets into a URL.
    public enum Addressing: String, Sendable, Hashable, CaseIterable {
        /// Virtual-hosted on AWS where the name allows it, path style with a custom endpoint.
        case auto
        /// In the host, where the name and the scheme allow it; otherwise in the path.
        case virtual
        /// Always in the path.
        case path
    }

    /// Which host `us-east-1` has.
    public enum USEast1Endpoint: String, Sendable, Hashable, CaseIterable {
        /// `s3.us-east-1.amazonaws.com`
        case regional
        /// `s3.amazonaws.com`, as in the first years of S3
        case legacy
    }

    /// The bucket's name.
    public var bucket: String
    /// The region that signs, for example `eu-west-1`; other stores have names of their own, such as `auto`.
    public var region: String
    /// The base URL of a store other than AWS, `http` or `https`; `nil` means AWS.
    public var endpoint: String?
    /// How the bucket gets into the URL.
    public var addressing: Addressing
    /// Whether to name the transfer acceleration endpoint.
    public var accelerate: Bool
    /// Whether to name the endpoint that also has IPv6.
    public var dualstack: Bool
    /// Whether to name the endpoint with validated cryptography.
    public var fips: Bool
    /// Which host `us-east-1` has; of no meaning elsewhere.
    public var usEast1Endpoint: USEast1Endpoint

    /// Collects the options; nothing is checked before an ``S3Endpoint`` is made of them.
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
