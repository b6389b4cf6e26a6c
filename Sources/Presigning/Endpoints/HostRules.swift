/// What may stand in a host name (RFC 952, RFC 1123, and S3's rules for buckets).
enum HostRules {
    /// Letters, digits and inner hyphens, 1 to 63 of them.
    static func isLabel(_ text: some Collection<UInt8>) -> Bool {
        guard (1...63).contains(text.count), text.first != 0x2d else { return false }
        var last: UInt8 = 0
        for byte in text {
            guard isAlphanumeric(byte) || byte == 0x2d else { return false }
            last = byte
        }
        return last != 0x2d
    }

    /// Whether a bucket may stand in the host: a label of 3 to 63 lower-case characters.
    ///
    /// Dotted names are no label of a wildcard certificate and so are allowed without TLS only.
    static func isHostable(bucket: [UInt8], allowsDots: Bool) -> Bool {
        guard bucket.count >= 3, !bucket.contains(where: { (0x41...0x5a).contains($0) }), !isIPv4(bucket) else {
            return false
        }
        guard allowsDots else { return isLabel(bucket) }
        return bucket.split(separator: 0x2e, omittingEmptySubsequences: false).allSatisfy { isLabel($0) }
    }

    /// Four decimal numbers with dots between them; one over 255 makes an address that fails, but never a name.
    static func isIPv4(_ host: some Collection<UInt8>) -> Bool {
        let parts = host.split(separator: 0x2e, omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { (1...3).contains($0.count) && $0.allSatisfy { (0x30...0x39).contains($0) } }
    }

    /// A bracketed IPv6 address, by its characters; whether it is an address the connection will show.
    static func isIPv6Literal(_ host: some BidirectionalCollection<UInt8>) -> Bool {
        guard host.first == 0x5b, host.last == 0x5d else { return false }
        let inner = host.dropFirst().dropLast()
        return inner.count >= 2 && inner.contains(0x3a)
            && inner.allSatisfy { isHexadecimal($0) || $0 == 0x3a || $0 == 0x2e }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }

    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: false
        }
    }

    static func lowercased(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
    }
}
