package import DataFormats

/// The configuration section `audit`: the destination of the audit log and what it hashes.
package struct AuditConfiguration: Sendable, Equatable {
    /// The destination of the lines.
    package enum Destination: Sendable, Equatable {
        case off
        /// Standard output, shared with the request log.
        case standardOutput
        /// A file to append to.
        case file(String)
        /// A Unix stream socket on which another process listens.
        case socket(String)
    }

    /// The destination. Off by default, because the lines contain personal data.
    package var destination = Destination.off
    /// Whether identities are written as SHA-256 hashes.
    package var hashesIdentities = false
    /// Whether object paths are written as SHA-256 hashes.
    package var hashesKeys = false

    /// Creates the default configuration.
    package init() {}

    package init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = try node.mapping(["to", "hashIdentities", "hashKeys"])
        keys.read("to", into: &destination, Self.destination)
        keys.read("hashIdentities", into: &hashesIdentities) { try $0.boolean() }
        keys.read("hashKeys", into: &hashesKeys) { try $0.boolean() }
    }

    private static func destination(_ node: ConfigurationNode) throws(ConfigurationError) -> Destination {
        let text = try node.string()
        guard !text.utf8.contains(0) else { throw node.error("must not contain the character U+0000") }
        switch text {
        case "off": return .off
        case "stdout": return .standardOutput
        case _ where text.hasPrefix("unix:/"):
            let path = text.dropFirst("unix:".count)
            guard path.utf8.count <= 107 else { throw node.error("must be a socket path of at most 107 bytes") }
            return .socket(String(path))
        // A word without a slash is rejected: it is more likely a typo of a keyword than a file.
        case _ where text.contains("/") && !text.hasPrefix("unix:") && !text.hasSuffix("/"): return .file(text)
        default:
            throw node.error(
                "must be off, stdout, the absolute path of a file such as /var/log/presign/audit.jsonl, or"
                    + " unix:/path.sock")
        }
    }
}
