/// The endpoint of one bucket: scheme, host and path prefix of its URLs, resolved from ``S3EndpointOptions``.
public struct S3Endpoint: Sendable, Hashable {
    /// The position of the bucket in the URL.
    public enum AddressingStyle: String, Sendable, Hashable {
        /// The bucket is in the host.
        case virtualHosted
        /// The bucket is in the path.
        case path
        /// The bucket is in the host of the transfer acceleration endpoint.
        case accelerated
    }

    let parts: Parts

    /// Resolves the endpoint by the S3 endpoint rules.
    ///
    /// - Throws: `StorageError.validation` with the option to change.
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

    /// The options that the endpoint was resolved from.
    public var options: S3EndpointOptions { parts.options }
    /// The region in the credential scope.
    public var region: String { parts.options.region }
    /// The position of the bucket in the URL.
    public var addressingStyle: AddressingStyle { parts.style }
    /// `https` or `http`.
    public var scheme: String { parts.scheme }
    /// The value of the `Host` header: the host in lower case, with the port if it is not the scheme's default.
    public var host: String { parts.host }
    /// The path before the key with a trailing slash, for example `/` or `/base/bucket/`.
    public var keyPrefix: String { String(decoding: parts.keyPrefix, as: UTF8.self) }

    /// Returns whether two endpoints have equal options.
    public static func == (left: Self, right: Self) -> Bool {
        left.parts === right.parts || left.options == right.options
    }

    /// Hashes the options.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(options)
    }

    /// The endpoint of the storage itself, whose root lists the buckets.
    ///
    /// - Throws: `StorageError.validation` if the options allow no bucket in the path.
    func withoutBucket() throws(StorageError) -> S3Endpoint {
        var options = parts.options
        (options.addressing, options.accelerate) = (.path, false)
        let endpoint = try S3Endpoint(options).parts
        // The path ends in the bucket and two slashes around it; `Parts` adds one again.
        let basePath = Array(endpoint.keyPrefix.dropLast(options.bucket.utf8.count + 2))
        let resolution = Resolution(
            style: .path, isSecure: endpoint.scheme == "https", host: Array(endpoint.host.utf8), basePath: basePath)
        return S3Endpoint(parts: Parts(options, resolution))
    }

    private init(parts: Parts) { self.parts = parts }

    /// The options and the values resolved from them.
    final class Parts: Sendable {
        let options: S3EndpointOptions
        let style: AddressingStyle
        let scheme: String
        let host: String
        let region: [UInt8]
        let service: [UInt8]
        /// Scheme and host, the beginning of every URL.
        let origin: [UInt8]
        /// The `host` line of a canonical request.
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

extension S3Endpoint {
    /// The parts of a URL that the endpoint rules determine.
    struct Resolution {
        let style: AddressingStyle
        let isSecure: Bool
        let host: [UInt8]
        let basePath: [UInt8]

        init(style: AddressingStyle, isSecure: Bool, host: [UInt8], basePath: [UInt8]) {
            (self.style, self.isSecure, self.host, self.basePath) = (style, isSecure, host, basePath)
        }

        /// Resolves the endpoint of a store other than AWS.
        ///
        /// An IP address has no subdomains, so the bucket is in the path.
        init(_ options: S3EndpointOptions, custom: CustomEndpoint) {
            let bucket = Array(options.bucket.utf8)
            let isHosted =
                options.addressing == .virtual && !custom.isIPAddress
                && HostRules.isHostable(bucket: bucket, allowsDots: !custom.isSecure)
            isSecure = custom.isSecure
            style = isHosted ? .virtualHosted : .path
            host = (isHosted ? bucket + [0x2e] : []) + custom.host + custom.portSuffix
            basePath = custom.path + (isHosted ? [] : [0x2f] + bucket)
        }

        /// Resolves an AWS endpoint from region, partition and variants.
        init(aws options: S3EndpointOptions) throws(StorageError) {
            let bucket = Array(options.bucket.utf8)
            let isHostable = HostRules.isHostable(bucket: bucket, allowsDots: false)
            let partition = AWSPartition(region: options.region)
            try options.validateVariants(in: partition, bucketIsHostable: isHostable)
            let isHosted = options.addressing != .path && isHostable
            isSecure = true
            style = options.accelerate ? .accelerated : isHosted ? .virtualHosted : .path
            host = (isHosted ? bucket + [0x2e] : []) + Array(options.serviceHost(in: partition).utf8)
            basePath = isHosted ? [] : [0x2f] + bucket
        }
    }
}

extension S3EndpointOptions {
    /// Returns the S3 host without the bucket: service, variants, region and domain.
    fileprivate func serviceHost(in partition: AWSPartition) -> String {
        let dualstack = dualstack ? ".dualstack" : ""
        if accelerate { return "s3-accelerate\(dualstack).\(partition.domain)" }
        if region == "us-east-1", usEast1Endpoint == .legacy, !fips, !self.dualstack { return "s3.amazonaws.com" }
        return "s3\(fips ? "-fips" : "")\(dualstack).\(region).\(partition.domain)"
    }
}
