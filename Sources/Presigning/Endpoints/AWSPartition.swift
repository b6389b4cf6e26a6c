/// An AWS partition: a group of regions that share a domain (AWS SDKs: S3 endpoint rules, `partitions.json`).
struct AWSPartition: Sendable {
    /// The beginning of the names of its regions.
    let prefix: String
    /// The parent domain of its S3 hosts.
    let domain: String
    var hasAcceleration = false
    var hasFIPS = true

    /// The partition of all regions that no other one has.
    private static let commercial = AWSPartition(prefix: "", domain: "amazonaws.com", hasAcceleration: true)
    static let all = [
        AWSPartition(prefix: "cn-", domain: "amazonaws.com.cn", hasFIPS: false),
        AWSPartition(prefix: "us-gov-", domain: "amazonaws.com"),
        AWSPartition(prefix: "eusc-", domain: "amazonaws.eu"),
        AWSPartition(prefix: "us-iso-", domain: "c2s.ic.gov"),
        AWSPartition(prefix: "us-isob-", domain: "sc2s.sgov.gov"),
        AWSPartition(prefix: "eu-isoe-", domain: "cloud.adc-e.uk"),
        AWSPartition(prefix: "us-isof-", domain: "csp.hci.ic.gov"), commercial,
    ]

    /// Returns the partition of a region.
    static func of(region: String) -> AWSPartition {
        all.first { region.utf8.starts(with: $0.prefix.utf8) } ?? commercial
    }
}

extension S3Endpoint {
    /// Returns the host of another AWS service, such as `sts.eu-west-1.amazonaws.com`, or nil if the region is invalid.
    package static func regionalHost(of service: String, in region: String) -> String? {
        guard HostRules.isLabel(Array(region.utf8)) else { return nil }
        return "\(service).\(region).\(AWSPartition.of(region: region).domain)"
    }
}
