package import ConfigurationReading

/// Where the audit goes, and what of it is hashed.
package struct AuditConfiguration: Sendable, Equatable {
    /// Where the lines go.
    package enum Destination: Sendable, Equatable {
        case off
        /// Standard output, among the lines of the request log.
        case standardOutput
        /// A file that is appended to.
        case file(String)
        /// A Unix stream socket that somebody else listens on.
        case socket(String)
    }

    /// Nowhere, unless it is asked for: the lines name people and what they touch.
    package var destination = Destination.off
    /// True: identities are written as their SHA-256.
    package var hashesIdentities = false
    /// True: the paths of objects are written as their SHA-256.
    package var hashesKeys = false

    /// The defaults.
    package init() {}

    package init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = try node.mapping(["to", "hashIdentities", "hashKeys"])
        keys.read("to", into: &destination, Self.destination)
        keys.read("hashIdentities", into: &hashesIdentities) { try $0.boolean() }
        keys.read("hashKeys", into: &hashesKeys) { try $0.boolean() }
    }

    private static func destination(_ node: ConfigurationNode) throws(ConfigurationError) -> Destination {
        let text = try node.string()
        guard !text.utf8.contains(0) else { throw node.error("must not hold the character U+0000") }
        switch text {
        case "off": return .off
        case "stdout": return .standardOutput
        case _ where text.hasPrefix("unix:/"):
            let path = text.dropFirst("unix:".count)
            guard path.utf8.count <= 107 else { throw node.error("must name a socket in at most 107 bytes") }
            return .socket(String(path))
        // A bare word would be a file that nobody finds, and is more likely a typing error.
        case _ where text.contains("/") && !text.hasPrefix("unix:") && !text.hasSuffix("/"): return .file(text)
        default:
            throw node.error("must be off, stdout, a file such as /var/log/presign/audit.jsonl, or unix:/path.sock")
        }
    }
}
