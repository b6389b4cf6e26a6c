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
        guard let (provider, labels, _) = Self.split(host), provider != .aws || Self.service(in: labels) != nil else {
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

    /// Returns what is wrong with an endpoint that has a bucket in its host, or a path, and the fix; nil if it has neither.
    func objection(to endpoint: CustomEndpoint) -> (mistake: String, fix: String)? {
        guard let (_, labels, domain) = Self.split(endpoint.host) else { return nil }
        let own = ownLabels(in: labels)
        let service = self == .aws ? Self.service(in: labels).map { labels[$0] } : nil
        if let service, service.starts(with: "s3-website".utf8) {
            // `s3-website-REGION`, or `s3-website` with the region after it.
            let region = service.count > 11 ? Array(service[11...]) : own.dropFirst().last ?? Array("REGION".utf8)
            return (
                "It is a website host, which takes no signed requests.",
                "Use https://s3.\(String(decoding: region, as: UTF8.self)).\(domain)."
            )
        }
        guard own != labels || !endpoint.path.isEmpty else { return nil }
        if let service, !Self.takesBuckets(service) {
            return ("It already names a bucket or an access point.", "Use addressing: domain, which adds no bucket.")
        }
        // The CDN of Spaces has hosts of buckets only.
        let host = own.map { String(decoding: $0, as: UTF8.self) + "." }.joined() + domain.replacing("cdn.", with: "")
        let address =
            (endpoint.isSecure ? "https://" : "http://") + host
            + String(decoding: endpoint.portSuffix, as: UTF8.self)
        return (
            labels.suffix(own.count).elementsEqual(own)
                ? "It already names a bucket, which would be added once more."
                : "The label before vpce- must be bucket, literally.",
            "Use \(address), or addressing: domain if no bucket shall be added."
        )
    }

    /// Returns the labels of the endpoint to use. In a host with a bucket, the bucket's labels are before them.
    private func ownLabels(in labels: [[UInt8]]) -> [[UInt8]] {
        switch self {
        case .aws:
            let start = Self.service(in: labels) ?? 0
            guard start > 0, labels.last?.elementsEqual("vpce".utf8) == true,
                labels[start - 1].starts(with: "vpce-".utf8)
            else { return Array(labels[start...]) }
            // `bucket.vpce-ID.s3.REGION.vpce` is an interface endpoint, in which `bucket` is literal (AWS PrivateLink
            // for Amazon S3).
            let literal = labels[..<(start - 1)].suffix(1).first { label in
                ["bucket", "accesspoint", "control"].contains { label.elementsEqual($0.utf8) }
            }
            return [literal ?? Array("bucket".utf8)] + labels[(start - 1)...]
        case .r2:
            // ACCOUNT, or ACCOUNT.JURISDICTION (Cloudflare R2, "S3 API compatibility", "Data location").
            let account = labels.lastIndex { $0.count == 32 && $0.allSatisfy(ASCII.isLowercaseHexadecimal) }
            let hasJurisdiction = ["eu", "fedramp"].contains { labels.last?.elementsEqual($0.utf8) == true }
            return Array(account.map { labels[$0...] } ?? labels.suffix(hasJurisdiction ? 2 : 1))
        case .spaces: return labels.suffix(1)
        }
    }

    /// Returns whether buckets can be added to a host with this label of S3, unlike `s3-accesspoint`, `s3-global`,
    /// `s3-object-lambda` and `s3-outposts`.
    private static func takesBuckets(_ service: [UInt8]) -> Bool {
        // The names of regions end in a digit.
        service.last.map(ASCII.isDigit) == true
            || ["s3-fips", "s3-accelerate"].contains { service.elementsEqual($0.utf8) }
    }

    /// Returns the index of the label of S3 in a host of AWS, such as `s3`, `s3-fips` or `s3-REGION`. Only a region,
    /// `dualstack` and `vpce` follow it; other services have hosts in the domain too.
    private static func service(in labels: [[UInt8]]) -> Int? {
        let index = labels.lastIndex { $0.elementsEqual("s3".utf8) || $0.starts(with: "s3-".utf8) }
        let follow = labels[((index ?? -1) + 1)...].allSatisfy { label in
            // The names of regions end in a digit.
            label.last.map(ASCII.isDigit) == true || ["vpce", "dualstack"].contains { label.elementsEqual($0.utf8) }
        }
        return follow ? index : nil
    }

    /// Returns the provider, the labels before its domain, and the domain.
    private static func split(_ host: [UInt8]) -> (KnownProvider, [[UInt8]], domain: String)? {
        for (domain, provider) in parents where host.count > domain.utf8.count {
            let start = host.dropLast(domain.utf8.count)
            if start.last == 0x2e, host.suffix(domain.utf8.count).elementsEqual(domain.utf8) {
                return (provider, start.dropLast().split(separator: 0x2e).map(Array.init), domain)
            }
        }
        return nil
    }
}
