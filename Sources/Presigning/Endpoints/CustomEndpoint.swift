import Text

/// The base URL of a store other than AWS, taken apart and checked.
struct CustomEndpoint {
    let isSecure: Bool
    /// Lower case, without port.
    let host: [UInt8]
    /// The port when it is not the scheme's own, with its colon.
    let portSuffix: [UInt8]
    /// Empty, or a path with a leading and no trailing slash.
    let path: [UInt8]

    var isIPAddress: Bool { HostRules.isIPv4(host) || HostRules.isIPv6Literal(host) }

    init(_ text: String) throws(StorageError) {
        var rest = Array(text.utf8)[...]
        isSecure = try Self.takeScheme(&rest)
        let authority = rest.prefix { $0 != 0x2f }
        let (host, port) = try Self.split(authority: authority)
        self.host = ASCII.lowercased(host)
        portSuffix = port == nil || port == (isSecure ? 443 : 80) ? [] : Array(":\(port ?? 0)".utf8)
        path = try Self.checkedPath(rest.dropFirst(authority.count))
    }

    private static func takeScheme(_ rest: inout ArraySlice<UInt8>) throws(StorageError) -> Bool {
        let colon = rest.firstIndex(of: 0x3a) ?? rest.startIndex
        let scheme = ASCII.lowercased(rest[..<colon])
        let isSecure = scheme == Array("https".utf8)
        rest = rest[colon...]
        guard isSecure || scheme == Array("http".utf8), rest.starts(with: "://".utf8) else {
            throw refusal("It does not begin with http:// or https://.")
        }
        rest = rest.dropFirst(3)
        return isSecure
    }

    private static func split(authority: ArraySlice<UInt8>) throws(StorageError) -> (ArraySlice<UInt8>, Int?) {
        guard !authority.contains(0x40) else { throw refusal("It holds a user name or a password.") }
        let afterAddress = authority.lastIndex(of: 0x5d) ?? authority.startIndex
        let colon = authority[afterAddress...].firstIndex(of: 0x3a)
        let host = authority[..<(colon ?? authority.endIndex)]
        let labels = host.split(separator: 0x2e, omittingEmptySubsequences: false)
        guard HostRules.isIPv6Literal(host) || labels.allSatisfy({ isHostLabel($0) }) else {
            throw refusal("Its host is no host name and no IP address.")
        }
        guard let colon else { return (host, nil) }
        let digits = authority[(colon + 1)...]
        guard let port = Int(decimal: digits.span, in: 1...65_535) else {
            throw refusal("Its port is no number of 1...65535.")
        }
        return (host, port)
    }

    /// Container networks name hosts with underscores, which host names proper do not have.
    private static func isHostLabel(_ label: ArraySlice<UInt8>) -> Bool {
        HostRules.isLabel(label.map { $0 == 0x5f ? 0x61 : $0 })
    }

    private static func checkedPath(_ path: ArraySlice<UInt8>) throws(StorageError) -> [UInt8] {
        guard path.allSatisfy({ isPathByte($0) }) else {
            throw refusal("It has a query, a fragment, or characters that must be escaped in a path.")
        }
        let hasDotSegment = path.split(separator: 0x2f).contains { $0.count <= 2 && $0.allSatisfy { $0 == 0x2e } }
        guard !hasDotSegment else { throw refusal("Its path has a . or .. segment, which clients remove.") }
        let end = path.lastIndex { $0 != 0x2f }.map { $0 + 1 } ?? path.startIndex
        return Array(path[..<end])
    }

    /// Base paths are written by operators: plain segments only, so that nothing is escaped twice or not at all.
    private static func isPathByte(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || "-._~/".utf8.contains(byte)
    }

    private static func refusal(_ description: String) -> StorageError {
        .invalid("endpoint", description, "Write it as https://host, with :port and /path where they are needed.")
    }
}
