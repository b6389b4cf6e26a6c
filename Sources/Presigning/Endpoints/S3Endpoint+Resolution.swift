extension S3Endpoint {
    /// The parts of a URL that the endpoint rules determine.
    struct Resolution {
        let style: AddressingStyle
        let isSecure: Bool
        let host: [UInt8]
        let basePath: [UInt8]

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
