import Text

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
