import Text

/// What may stand in a host name (RFC 952, RFC 1123, and S3's rules for buckets).
enum HostRules {
    /// Letters, digits and inner hyphens, 1 to 63 of them.
    static func isLabel(_ text: some Collection<UInt8>) -> Bool { Array(text).span.isHostLabel() }

    /// Whether a bucket may stand in the host: a label of 3 to 63 lower-case characters.
    ///
    /// Dotted names are no label of a wildcard certificate and so are allowed without TLS only.
    static func isHostable(bucket: [UInt8], allowsDots: Bool) -> Bool {
        guard bucket.count >= 3, !bucket.contains(where: ASCII.isUppercase), IPAddress(v4: bucket.span) == nil else {
            return false
        }
        guard allowsDots else { return isLabel(bucket) }
        return bucket.split(separator: 0x2e, omittingEmptySubsequences: false).allSatisfy { isLabel($0) }
    }
}
