/// A group of AWS regions with a domain of its own ("AWS partitions", and the endpoint rules AWS publishes for S3).
enum AWSPartition: Sendable {
    case aws, china, govCloud, europeanSovereign, iso, isoB, isoE, isoF

    /// The partition a region's name belongs to; names of no known form are taken for the commercial one.
    init(region: String) {
        let prefixes: [(String, AWSPartition)] = [
            ("cn-", .china), ("us-gov-", .govCloud), ("eusc-", .europeanSovereign), ("us-iso-", .iso),
            ("us-isob-", .isoB), ("eu-isoe-", .isoE), ("us-isof-", .isoF),
        ]
        self = prefixes.first { region.utf8.starts(with: $0.0.utf8) }?.1 ?? .aws
    }

    /// The domain under which the partition's S3 hosts lie.
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
    /// The host of another service in a region, such as `sts.eu-west-1.amazonaws.com`; nil for what is no region's name.
    package static func regionalHost(of service: String, in region: String) -> String? {
        guard HostRules.isLabel(Array(region.utf8)) else { return nil }
        return "\(service).\(region).\(AWSPartition(region: region).domain)"
    }
}
