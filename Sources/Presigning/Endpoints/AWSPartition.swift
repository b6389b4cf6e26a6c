/// An AWS partition: a group of regions that share a domain (AWS SDKs: S3 endpoint rules, `partitions.json`).
enum AWSPartition: Sendable, CaseIterable {
    case aws, china, govCloud, europeanSovereign, iso, isoB, isoE, isoF

    /// Returns the partition of a region. Unknown names belong to the commercial partition.
    init(region: String) {
        let prefixes: [(String, AWSPartition)] = [
            ("cn-", .china), ("us-gov-", .govCloud), ("eusc-", .europeanSovereign), ("us-iso-", .iso),
            ("us-isob-", .isoB), ("eu-isoe-", .isoE), ("us-isof-", .isoF),
        ]
        self = prefixes.first { region.utf8.starts(with: $0.0.utf8) }?.1 ?? .aws
    }

    /// The parent domain of the partition's S3 hosts.
    var domain: String {
        switch self {
        case .aws, .govCloud: "amazonaws.com"
        case .china: "amazonaws.com.cn"
        case .europeanSovereign: "amazonaws.eu"
        case .iso: "c2s.ic.gov"
        case .isoB: "sc2s.sgov.gov"
        case .isoE: "cloud.adc-e.uk"
        case .isoF: "csp.hci.ic.gov"
        }
    }

    var hasAcceleration: Bool { self == .aws }

    var hasFIPS: Bool { self != .china }
}

extension S3Endpoint {
    /// Returns the host of another AWS service, such as `sts.eu-west-1.amazonaws.com`, or nil if the region is invalid.
    package static func regionalHost(of service: String, in region: String) -> String? {
        guard HostRules.isLabel(Array(region.utf8)) else { return nil }
        return "\(service).\(region).\(AWSPartition(region: region).domain)"
    }
}
