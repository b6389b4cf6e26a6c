package import ConfigurationReading

/// The configuration section `aws`: the default credential source and the minimum remaining lifetime.
package struct CredentialConfiguration: Sendable, Equatable {
    /// The credential source of stores that do not name one.
    package var selection = CredentialSelection.chain
    /// The minimum remaining lifetime of credentials in seconds. Credentials with less left are not used.
    ///
    /// EC2 provides new credentials at least five minutes before the old ones expire (Amazon EC2 User Guide, "Retrieve
    /// security credentials from instance metadata"). The default is less than that, so that the old ones can be used
    /// until then.
    package var minRemaining = 180

    /// Creates the default configuration.
    package init() {}

    /// Reads the section `aws`.
    package init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = try node.mapping(["credentials", "minRemaining"])
        keys.read("credentials", into: &selection, CredentialSelection.init(node:))
        // Sessions of role chaining last at most an hour.
        keys.read("minRemaining", into: &minRemaining) { try $0.seconds(in: 0...3600) }
    }
}

extension PerRole<CredentialSelection> {
    /// Reads a store's `credentials`: one source, or a mapping with `read` and `write`.
    ///
    /// - Parameter fallback: the source for a missing key.
    package init(node: ConfigurationNode, fallback: CredentialSelection) throws(ConfigurationError) {
        guard node.isMapping else {
            self.init(both: try CredentialSelection(node: node))
            return
        }
        let keys = try node.mapping(["read", "write"])
        self.init(
            read: keys.value("read", CredentialSelection.init(node:)) ?? fallback,
            write: keys.value("write", CredentialSelection.init(node:)) ?? fallback)
    }
}

extension CredentialSelection {
    package init(node: ConfigurationNode) throws(ConfigurationError) {
        let text = try node.string()
        guard let selection = CredentialSelection(text) else {
            // Does not quote the text, which may be a secret.
            throw node.error("must be \(Self.spellings)" + Suggestion.text(for: text, among: Self.words))
        }
        self = selection
    }
}
