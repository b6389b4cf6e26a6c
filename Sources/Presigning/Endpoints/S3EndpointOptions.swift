import Text

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
        /// The custom endpoint itself: its host, or its host and path, is that of the one bucket.
        case domain
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
    /// The base URL that the storage sees if a proxy changes host or path of `endpoint`. URLs are written with
    /// `endpoint` and signed for this one. `nil` signs `endpoint`.
    public var signedEndpoint: String?
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
        bucket: String, region: String, endpoint: String? = nil, signedEndpoint: String? = nil,
        addressing: Addressing = .auto, accelerate: Bool = false, dualstack: Bool = false, fips: Bool = false,
        usEast1Endpoint: USEast1Endpoint = .regional
    ) {
        self.bucket = bucket
        self.region = region
        self.endpoint = endpoint
        self.signedEndpoint = signedEndpoint
        self.addressing = addressing
        self.accelerate = accelerate
        self.dualstack = dualstack
        self.fips = fips
        self.usEast1Endpoint = usEast1Endpoint
    }
}

extension S3EndpointOptions {
    /// Validates bucket and region, and rejects AWS variants in combination with a custom endpoint.
    ///
    /// - Throws: `StorageError.validation` with the option to change.
    package func validate() throws(StorageError) {
        try validateBucket()
        guard HostRules.isLabel(region.utf8) else {
            throw .invalid(
                "region", "\(region.debugDescription) is not a region: only letters, digits and hyphens are allowed.",
                "Use the bucket's region, for example eu-west-1.")
        }
        guard endpoint != nil else { return try validateWithoutEndpoint() }
        let variants = [("accelerate", accelerate), ("dualstack", dualstack), ("fips", fips)]
        for (field, isOn) in variants where isOn {
            throw .invalid(
                field, "It selects an AWS host and cannot be combined with a custom endpoint.",
                "Leave out \(field), or leave out the endpoint to use AWS.")
        }
    }

    /// Rejects the options that describe a custom endpoint.
    private func validateWithoutEndpoint() throws(StorageError) {
        guard addressing != .domain else {
            throw .invalid(
                "addressing", "The value domain says that the endpoint is the bucket, but no endpoint is set.",
                "Set the endpoint to the bucket's own domain, or use auto.")
        }
        guard signedEndpoint == nil else {
            throw .invalid(
                "signedEndpoint", "It is what a proxy makes of a custom endpoint, but no endpoint is set.",
                "Set the endpoint, or leave out signedEndpoint.")
        }
    }

    /// Validates the region and the variants of an AWS endpoint, and their combination.
    func validateVariants(in partition: AWSPartition, bucketIsHostable: Bool) throws(StorageError) {
        guard !region.utf8.contains(where: ASCII.isUppercase), !region.hasSuffix("-global") else {
            throw .invalid(
                "region", "\(region.debugDescription) is not an AWS region.",
                "Use the bucket's region, for example us-east-1.")
        }
        if fips, !partition.hasFIPS {
            throw .invalid("fips", "\(region) has no FIPS endpoints.", "Leave out fips.")
        }
        if accelerate { try validateAcceleration(in: partition, bucketIsHostable: bucketIsHostable) }
    }

    private func validateAcceleration(in partition: AWSPartition, bucketIsHostable: Bool) throws(StorageError) {
        let reason: (description: String, suggestion: String)? =
            if fips {
                ("Transfer acceleration has no FIPS endpoint.", "Leave out accelerate or fips.")
            } else if !partition.hasAcceleration {
                ("\(region) has no transfer acceleration.", "Leave out accelerate.")
            } else if addressing == .path {
                (
                    "Transfer acceleration does not support path-style addressing.",
                    "Use virtual or auto addressing, or leave out accelerate."
                )
            } else if !bucketIsHostable {
                (
                    "Transfer acceleration requires a bucket name that is one DNS label; \(bucket.quoted) is not.",
                    "Leave out accelerate, or use a bucket without dots, capitals and underscores."
                )
            } else {
                nil
            }
        guard let reason else { return }
        throw .invalid("accelerate", reason.description, reason.suggestion)
    }

    /// Validates the bucket name. The oldest S3 buckets have names with capitals, underscores and up to 255 characters.
    private func validateBucket() throws(StorageError) {
        let name = Array(bucket.utf8)
        let suggestion = "Use the bucket's name: 1 to 255 letters, digits, dots, hyphens and underscores."
        if name.starts(with: "arn:".utf8) {
            throw .invalid(
                "bucket", "It is an ARN, which is not supported.",
                "Use the bucket's name, or the alias of the access point (it ends in -s3alias).")
        }
        if name.suffix(6).elementsEqual("--x-s3".utf8) || name.suffix(7).elementsEqual("--op-s3".utf8) {
            throw .invalid(
                "bucket", "Directory buckets and Outposts aliases are not supported.",
                "Use a general purpose bucket.")
        }
        guard (1...255).contains(name.count),
            name.allSatisfy({ ASCII.isAlphanumeric($0) || "-._".utf8.contains($0) })
        else {
            throw .invalid("bucket", "\(bucket.debugDescription) is not a valid bucket name.", suggestion)
        }
        guard name != [0x2e], name != [0x2e, 0x2e] else {
            throw .invalid("bucket", "Clients remove the path segments . and .. from a URL.", suggestion)
        }
    }
}

/// The rules for host names (RFC 952, RFC 1123) and for bucket names in a host (S3 bucket naming rules).
enum HostRules {
    /// Returns whether the text is a host label: 1 to 63 letters, digits and inner hyphens.
    static func isLabel(_ text: some Collection<UInt8>) -> Bool { Array(text).span.isHostLabel() }

    /// Returns whether a bucket name can be part of the host: a label of 3 to 63 lower-case characters.
    ///
    /// - Parameter allowsDots: whether the name may consist of several labels. A wildcard certificate matches one
    ///   label, so dots are allowed only without TLS.
    static func isHostable(bucket: [UInt8], allowsDots: Bool) -> Bool {
        guard bucket.count >= 3, !bucket.contains(where: ASCII.isUppercase), IPAddress(v4: bucket.span) == nil else {
            return false
        }
        guard allowsDots else { return isLabel(bucket) }
        return bucket.split(separator: 0x2e, omittingEmptySubsequences: false).allSatisfy { isLabel($0) }
    }
}
