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

    let parts: Parts

    /// Applies the rules of S3's endpoints; a wrong combination is refused with the option to change.
    public init(_ options: S3EndpointOptions) throws(StorageError) {
        try options.validate()
        let resolution =
            if let endpoint = options.endpoint {
                try Resolution(options, custom: CustomEndpoint(endpoint))
            } else {
                try Resolution(aws: options)
            }
        parts = Parts(options, resolution)
    }

    /// What the endpoint was worked out from.
    public var options: S3EndpointOptions { parts.options }
    /// The region that signs.
    public var region: String { parts.options.region }
    /// How the bucket got into the URL.
    public var addressingStyle: AddressingStyle { parts.style }
    /// `https` or `http`.
    public var scheme: String { parts.scheme }
    /// Host and, unless it is the scheme's own, port, in lower case: what the `Host` header says and what is signed.
    public var host: String { parts.host }
    /// What precedes the key in the path, with its slash: `/`, or `/base/bucket/`.
    public var keyPrefix: String { String(decoding: parts.keyPrefix, as: UTF8.self) }

    /// Endpoints worked out from equal options are equal.
    public static func == (left: Self, right: Self) -> Bool {
        left.parts === right.parts || left.options == right.options
    }

    /// As `==` demands.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(options)
    }

    /// What follows from the options.
    final class Parts: Sendable {
        let options: S3EndpointOptions
        let style: AddressingStyle
        let scheme: String
        let host: String
        let region: [UInt8]
        let service: [UInt8]
        /// Scheme and host, as a URL begins.
        let origin: [UInt8]
        /// The host's line of a canonical request.
        let hostLine: [UInt8]
        let keyPrefix: [UInt8]

        init(_ options: S3EndpointOptions, _ resolution: Resolution) {
            self.options = options
            style = resolution.style
            scheme = resolution.isSecure ? "https" : "http"
            host = String(decoding: resolution.host, as: UTF8.self)
            region = Array(options.region.utf8)
            service = Array("s3".utf8)
            origin = Array("\(scheme)://\(host)".utf8)
            hostLine = Array("host:\(host)\n".utf8)
            keyPrefix = resolution.basePath + [0x2f]
        }
    }
}
