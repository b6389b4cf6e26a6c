import Text

/// A provider whose limits are known, and whose endpoints have a known form: a host without bucket and path.
package enum KnownProvider: Sendable {
    case aws, r2, spaces

    private static let parents: [(String, KnownProvider)] =
        AWSPartition.all.map { ($0.domain, .aws) } + [
            ("r2.cloudflarestorage.com", .r2), ("cdn.digitaloceanspaces.com", .spaces),
            ("digitaloceanspaces.com", .spaces),
        ]

    /// Returns the provider of an S3 host in lower case, without port; nil for others, such as load balancers of AWS.
    package init?(host: [UInt8]) {
        guard let (provider, labels) = Self.split(host), provider != .aws || Self.service(in: labels) != nil else {
            return nil
        }
        self = provider
    }

    /// Returns the provider of an endpoint; nil for any other server.
    package init?(_ options: S3EndpointOptions) {
        guard let endpoint = options.signedEndpoint ?? options.endpoint else {
            self = .aws
            return
        }
        guard let host = try? CustomEndpoint(endpoint).host else { return nil }
        self.init(host: host)
    }

    /// Returns the endpoint to use in place of one that has a bucket in its host, or a path; nil if it has neither.
    func endpoint(without endpoint: CustomEndpoint) -> String? {
        guard let (_, labels) = Self.split(endpoint.host) else { return nil }
        let count = ownCount(in: labels)
        guard count < labels.count || !endpoint.path.isEmpty else { return nil }
        let bucketLength = labels.dropLast(count).reduce(0) { $0 + $1.count + 1 }
        let host = endpoint.host.dropFirst(bucketLength) + endpoint.portSuffix
        let text = (endpoint.isSecure ? "https://" : "http://") + String(decoding: host, as: UTF8.self)
        // The CDN of Spaces has hosts of buckets only.
        return self == .spaces ? text.replacing(".cdn.", with: ".") : text
    }

    /// Returns how many of the labels belong to the provider; those before them name the bucket.
    private func ownCount(in labels: [[UInt8]]) -> Int {
        switch self {
        case .aws:
            let start = Self.service(in: labels) ?? 0
            // `bucket.vpce-ID.s3.REGION.vpce` is an interface endpoint, in which `bucket` is literal (AWS PrivateLink
            // for Amazon S3).
            let isInterface = start >= 2 && labels[start - 1].starts(with: "vpce-".utf8)
            return labels.count - (isInterface ? start - 2 : start)
        case .r2:
            // ACCOUNT, or ACCOUNT.JURISDICTION (Cloudflare R2, "S3 API compatibility", "Data location").
            let account = labels.lastIndex { $0.count == 32 && $0.allSatisfy(ASCII.isLowercaseHexadecimal) }
            let hasJurisdiction = ["eu", "fedramp"].contains { labels.last?.elementsEqual($0.utf8) == true }
            return account.map { labels.count - $0 } ?? (hasJurisdiction ? 2 : 1)
        case .spaces: return 1
        }
    }

    /// Returns the index of the label of S3 in a host of AWS: `s3`, `s3-fips`, `s3-accelerate`, or `s3-REGION`. Only a
    /// region, `dualstack` and `vpce` follow it; other services have hosts in the domain too.
    private static func service(in labels: [[UInt8]]) -> Int? {
        let index = labels.lastIndex { $0.elementsEqual("s3".utf8) || $0.starts(with: "s3-".utf8) }
        let follow = labels[((index ?? -1) + 1)...].allSatisfy { label in
            // The names of regions end in a digit.
            label.last.map(ASCII.isDigit) == true || ["vpce", "dualstack"].contains { label.elementsEqual($0.utf8) }
        }
        return follow ? index : nil
    }

    /// Returns the provider and the labels before its domain.
    private static func split(_ host: [UInt8]) -> (KnownProvider, [[UInt8]])? {
        for (domain, provider) in parents where host.count > domain.utf8.count {
            let start = host.dropLast(domain.utf8.count)
            if start.last == 0x2e, host.suffix(domain.utf8.count).elementsEqual(domain.utf8) {
                return (provider, start.dropLast().split(separator: 0x2e).map(Array.init))
            }
        }
        return nil
    }
}
