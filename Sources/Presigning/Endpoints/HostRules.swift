import Text

/// What may stand in a host name (RFC 952, RFC 1123, and S3's rules for buckets).
enum HostRules {
    /// Letters, digits and inner hyphens, 1 to 63 of them.
    static func isLabel(_ text: some Collection<UInt8>) -> Bool {
        guard (1...63).contains(text.count), text.first != 0x2d else { return false }
        var last: UInt8 = 0
        for byte in text {
            guard ASCII.isAlphanumeric(byte) || byte == 0x2d else { return false }
            last = byte
        }
        return last != 0x2d
    }

    /// Whether a bucket may stand in the host: a label of 3 to 63 lower-case characters.
    ///
    /// Dotted names are no label of a wildcard certificate and so are allowed without TLS only.
    static func isHostable(bucket: [UInt8], allowsDots: Bool) -> Bool {
        guard bucket.count >= 3, !bucket.contains(where: ASCII.isUppercase), !isIPv4(bucket) else {
            return false
        }
        guard allowsDots else { return isLabel(bucket) }
        return bucket.split(separator: 0x2e, omittingEmptySubsequences: false).allSatisfy { isLabel($0) }
    }

    /// Four decimal numbers with dots between them; one over 255 makes an address that fails, but never a name.
    static func isIPv4(_ host: some Collection<UInt8>) -> Bool {
        let parts = host.split(separator: 0x2e, omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { (1...3).contains($0.count) && $0.allSatisfy(ASCII.isDigit) }
    }

    /// A bracketed IPv6 address, by its characters; whether it is an address the connection will show.
    static func isIPv6Literal(_ host: some BidirectionalCollection<UInt8>) -> Bool {
        guard host.first == 0x5b, host.last == 0x5d else { return false }
        let inner = host.dropFirst().dropLast()
        return inner.count >= 2 && inner.contains(0x3a)
            && inner.allSatisfy { $0.hexadecimalValue != nil || $0 == 0x3a || $0 == 0x2e }
    }
}
