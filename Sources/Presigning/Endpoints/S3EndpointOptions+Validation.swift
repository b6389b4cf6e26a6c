import Text

extension S3EndpointOptions {
    /// Checks each option by itself, and those that no custom endpoint goes with.
    package func validate() throws(StorageError) {
        try validateBucket()
        guard HostRules.isLabel(region.utf8) else {
            throw .invalid(
                "region", "\(region.debugDescription) is no region: only letters, digits and hyphens are allowed.",
                "Name the bucket's region, for example eu-west-1.")
        }
        guard endpoint != nil else { return }
        let variants = [("useAccelerateEndpoint", accelerate), ("dualstack", dualstack), ("fips", fips)]
        for (field, isOn) in variants where isOn {
            throw .invalid(
                field, "It selects a host of AWS and cannot be combined with a custom endpoint.",
                "Leave out \(field), or leave out the endpoint to use AWS.")
        }
    }

    /// Checks the variants of AWS's own hosts against each other.
    func validateVariants(in partition: AWSPartition, bucketIsHostable: Bool) throws(StorageError) {
        guard !region.utf8.contains(where: ASCII.isUppercase), !region.hasSuffix("-global") else {
            throw .invalid(
                "region", "\(region.debugDescription) is no region of AWS.",
                "Name the bucket's region, for example us-east-1.")
        }
        if fips, !partition.hasFIPS {
            throw .invalid("fips", "There are no FIPS endpoints in \(region).", "Leave out fips.")
        }
        if accelerate { try validateAcceleration(in: partition, bucketIsHostable: bucketIsHostable) }
    }

    private func validateAcceleration(in partition: AWSPartition, bucketIsHostable: Bool) throws(StorageError) {
        let reason: (description: String, suggestion: String)? =
            if fips {
                ("Transfer acceleration has no FIPS endpoint.", "Leave out either of them.")
            } else if !partition.hasAcceleration {
                ("There is no transfer acceleration in \(region).", "Leave it out.")
            } else if addressing == .path {
                ("Transfer acceleration has no path style.", "Use virtual or auto addressing, or leave it out.")
            } else if !bucketIsHostable {
                (
                    "Transfer acceleration needs a bucket whose name is one DNS label; \(bucket) is none.",
                    "Leave it out, or use a bucket without dots, capitals and underscores."
                )
            } else {
                nil
            }
        guard let reason else { return }
        throw .invalid("useAccelerateEndpoint", reason.description, reason.suggestion)
    }

    /// Checks that a bucket can be signed for at all; S3's oldest names have dots, capitals and underscores.
    private func validateBucket() throws(StorageError) {
        let name = Array(bucket.utf8)
        let suggestion = "Give the bucket's name: letters, digits, dots, hyphens and underscores, at most 255."
        if name.starts(with: "arn:".utf8) {
            throw .invalid(
                "bucket", "It is an ARN, which this signer does not address.",
                "Give the bucket's name, or the alias of the access point (it ends in -s3alias).")
        }
        if name.suffix(6).elementsEqual("--x-s3".utf8) || name.suffix(7).elementsEqual("--op-s3".utf8) {
            throw .invalid(
                "bucket", "Directory buckets and Outposts aliases are signed for another service.",
                "Use a general purpose bucket.")
        }
        guard (1...255).contains(name.count),
            name.allSatisfy({ ASCII.isAlphanumeric($0) || "-._".utf8.contains($0) })
        else {
            throw .invalid("bucket", "\(bucket.debugDescription) is no name of a bucket.", suggestion)
        }
        guard name != [0x2e], name != [0x2e, 0x2e] else {
            throw .invalid("bucket", "A dot segment in the path is removed by clients.", suggestion)
        }
    }
}
