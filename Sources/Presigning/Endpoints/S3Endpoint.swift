import Text

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
        /// The endpoint is the bucket.
        case domain
    }

    let parts: Parts

    /// Resolves the endpoint by the S3 endpoint rules.
    ///
    /// - Throws: `StorageError.validation` with the option to change.
    public init(_ options: S3EndpointOptions) throws(StorageError) {
        try options.validate()
        guard let endpoint = options.endpoint else {
            let resolution = try Resolution(aws: options)
            parts = Parts(options, written: resolution, signed: resolution)
            return
        }
        let written = try CustomEndpoint(endpoint, of: options)
        let signed = try options.signedEndpoint.map { (text: String) throws(StorageError) in
            try CustomEndpoint(text, named: "signedEndpoint", of: options)
        }
        guard (signed ?? written).isSecure == written.isSecure else {
            throw .invalid(
                "signedEndpoint", "Its scheme differs from that of the endpoint in URLs.",
                "Write it with \(written.isSecure ? "https" : "http")://, also if the proxy uses another scheme.")
        }
        parts = Parts(
            options, written: Resolution(options, custom: written),
            signed: Resolution(options, custom: signed ?? written))
    }

    /// The options that the endpoint was resolved from.
    public var options: S3EndpointOptions { parts.options }
    /// The region in the credential scope.
    public var region: String { parts.options.region }
    /// The position of the bucket in the URL.
    public var addressingStyle: AddressingStyle { parts.written.style }
    /// `https` or `http`.
    public var scheme: String { parts.scheme }
    /// The host of URLs in lower case, with the port if it is not the scheme's default.
    public var host: String { parts.host }
    /// The path before the key with a trailing slash, for example `/` or `/base/bucket/`.
    public var keyPrefix: String { String(decoding: parts.keyPrefix, as: UTF8.self) }
    /// The beginning of URLs without the bucket in the path, for example `https://s3.example.com/base`.
    package var address: String { "\(scheme)://\(host)\(basePath)" }
    /// The path of the endpoint without the bucket and without a slash at its end.
    package var basePath: String { String(decoding: parts.written.basePath, as: UTF8.self) }

    /// The address that the storage sees; nil without `signedEndpoint`.
    package var signedAddress: String? {
        options.signedEndpoint == nil
            ? nil : "\(scheme)://\(String(decoding: parts.signed.host + parts.signed.basePath, as: UTF8.self))"
    }
    /// Whether URLs name the bucket twice, because the endpoint already names it.
    package var repeatsBucket: Bool { parts.signed.repeatsBucket }

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
    package func withoutBucket() throws(StorageError) -> S3Endpoint {
        var options = parts.options
        guard options.addressing != .domain else {
            throw .invalid("addressing", "The endpoint is one bucket.", "Use the endpoint of the storage.")
        }
        (options.addressing, options.accelerate) = (.path, false)
        return S3Endpoint(withoutBucketIn: try S3Endpoint(options).parts)
    }

    private init(withoutBucketIn parts: Parts) {
        self.parts = Parts(parts.options, written: parts.written.withoutBucket, signed: parts.signed.withoutBucket)
    }

    /// The options and the values resolved from them.
    final class Parts: Sendable {
        let options: S3EndpointOptions
        let written, signed: Resolution
        let scheme: String
        let host: String
        let region: [UInt8]
        let service: [UInt8]
        /// Scheme and host, the beginning of every URL.
        let origin: [UInt8]
        /// The `host` line of a canonical request.
        let hostLine: [UInt8]
        /// The path before the key in URLs, and in canonical requests.
        let keyPrefix, signedKeyPrefix: [UInt8]

        /// - Parameters:
        ///   - written: what URLs begin with.
        ///   - signed: what the storage sees.
        init(_ options: S3EndpointOptions, written: Resolution, signed: Resolution) {
            (self.options, self.written, self.signed) = (options, written, signed)
            scheme = written.isSecure ? "https" : "http"
            host = String(decoding: written.host, as: UTF8.self)
            region = Array(options.region.utf8)
            service = Array("s3".utf8)
            origin = Array("\(scheme)://\(host)".utf8)
            hostLine = Array("host:".utf8) + signed.host + [0x0a]
            (keyPrefix, signedKeyPrefix) = (written.keyPrefix, signed.keyPrefix)
        }
    }
}

extension S3Endpoint {
    /// The parts of a URL that the endpoint rules determine.
    struct Resolution {
        let style: AddressingStyle
        let isSecure: Bool
        let host: [UInt8]
        /// The path of the endpoint, without a slash at its end.
        let basePath: [UInt8]
        /// The path before the key, with a slash at its end.
        private(set) var keyPrefix: [UInt8]
        /// Whether host or path name the bucket more than once.
        let repeatsBucket: Bool

        /// The same without a bucket in the path.
        var withoutBucket: Resolution {
            var other = self
            other.keyPrefix = basePath + [0x2f]
            return other
        }

        /// Resolves the endpoint of a store other than AWS.
        ///
        /// An IP address has no subdomains, so the bucket is in the path unless the endpoint is the bucket.
        init(_ options: S3EndpointOptions, custom: CustomEndpoint) {
            let bucket = Array(options.bucket.utf8)
            let isHosted =
                options.addressing == .virtual && !custom.isIPAddress
                && HostRules.isHostable(bucket: bucket, allowsDots: !custom.isSecure)
            isSecure = custom.isSecure
            style = options.addressing == .domain ? .domain : isHosted ? .virtualHosted : .path
            host = (isHosted ? bucket + [0x2e] : []) + custom.host + custom.portSuffix
            basePath = custom.path
            keyPrefix = basePath + (style == .path ? [0x2f] + bucket : []) + [0x2f]
            repeatsBucket =
                style != .domain
                && (custom.path.split(separator: 0x2f).contains { $0.elementsEqual(bucket) }
                    || custom.host.starts(with: ASCII.lowercased(bucket) + [0x2e]) && !custom.isIPAddress)
        }

        /// Resolves an AWS endpoint from region, partition and variants.
        init(aws options: S3EndpointOptions) throws(StorageError) {
            let bucket = Array(options.bucket.utf8)
            let isHostable = HostRules.isHostable(bucket: bucket, allowsDots: false)
            let partition = AWSPartition.of(region: options.region)
            try options.validateVariants(in: partition, bucketIsHostable: isHostable)
            let isHosted = options.addressing != .path && isHostable
            isSecure = true
            style = options.accelerate ? .accelerated : isHosted ? .virtualHosted : .path
            host = (isHosted ? bucket + [0x2e] : []) + Array(options.serviceHost(in: partition).utf8)
            basePath = []
            keyPrefix = isHosted ? [0x2f] : [0x2f] + bucket + [0x2f]
            repeatsBucket = false
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
