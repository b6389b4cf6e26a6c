/// Where the URLs of one bucket point, worked out once from its ``S3EndpointOptions`` and used for every URL.
public struct S3Endpoint: Sendable, Hashable {
    /// How the bucket got into the URL, after all rules.
    public enum AddressingStyle: String, Sendable, Hashable {
        /// In the host.
        case virtualHosted
        /// In the path.
        case path
        /// In the host of the transfer acceleration endpoint.
        case accelerated
    }

    /// What the endpoint was worked out from.
    public let options: S3EndpointOptions
    /// How the bucket got into the URL.
    public let addressingStyle: AddressingStyle
    /// `https` or `http`.
    public let scheme: String
    /// Host and, unless it is the scheme's own, port, in lower case: what the `Host` header says and what is signed.
    public let host: String
    /// What precedes the key in the path: empty or `/base/bucket`, without trailing slash.
    public let basePath: String

    let service: [UInt8]
    let region: [UInt8]
    let origin: [UInt8]
    let hostBytes: [UInt8]
    let basePathBytes: [UInt8]

    /// Applies the rules of S3's endpoints; a wrong combination is refused with the option to change.
    public init(_ options: S3EndpointOptions) throws(StorageError) {
        try options.validate()
        let resolution =
            if let endpoint = options.endpoint {
                try Resolution(options, custom: CustomEndpoint(endpoint))
            } else {
                try Resolution(aws: options)
            }
        self.options = options
        addressingStyle = resolution.style
        scheme = resolution.isSecure ? "https" : "http"
        hostBytes = resolution.host
        basePathBytes = resolution.basePath
        host = String(decoding: hostBytes, as: UTF8.self)
        basePath = String(decoding: basePathBytes, as: UTF8.self)
        origin = Array((resolution.isSecure ? "https://" : "http://").utf8) + resolution.host
        region = Array(options.region.utf8)
        service = Array("s3".utf8)
    }
}
