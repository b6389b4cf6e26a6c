import Text

/// A storage service whose limits are known. Its hosts tell it from other servers.
package enum KnownStorage: Sendable {
    case aws, cloudflareR2, digitalOceanSpaces

    /// Returns the service at an endpoint; nil for any other server.
    package init?(_ options: S3EndpointOptions) {
        guard let endpoint = options.endpoint else {
            self = .aws
            return
        }
        guard let name = try? CustomEndpoint(endpoint).host else { return nil }
        let host = name.split(separator: ASCII.dot).map { String(decoding: $0, as: UTF8.self) }
        if host.labels(before: "r2.cloudflarestorage.com") != nil {
            self = .cloudflareR2
        } else if host.labels(before: "digitaloceanspaces.com") != nil {
            self = .digitalOceanSpaces
        } else if AWSPartition.allCases.contains(where: { host.isS3Host(in: $0.domain) }) {
            self = .aws
        } else {
            return nil
        }
    }
}

/// The labels of a host in lower case.
extension [String] {
    /// The labels before a domain; nil for a host outside of it.
    fileprivate func labels(before domain: String) -> ArraySlice<String>? {
        let suffix = domain.split(separator: ".").map(String.init)
        return self.suffix(suffix.count).elementsEqual(suffix) ? dropLast(suffix.count) : nil
    }

    /// Whether it is a host of S3, such as `bucket.s3.dualstack.eu-west-1.amazonaws.com`. Other servers have names in
    /// the domain too, such as `ec2-192-0-2-1.compute-1.amazonaws.com`.
    fileprivate func isS3Host(in domain: String) -> Bool {
        guard var labels = labels(before: domain) else { return false }
        while let label = labels.popLast() {
            if label.isS3Label { return true }
            // The names of regions end in a digit.
            guard ["vpce", "dualstack"].contains(label) || label.utf8.last.map(ASCII.isDigit) == true else { break }
        }
        return false
    }
}

extension String {
    /// `s3`, or a variant such as `s3-fips` or the older `s3-eu-west-1`.
    fileprivate var isS3Label: Bool { self == "s3" || hasPrefix("s3-") }
}
