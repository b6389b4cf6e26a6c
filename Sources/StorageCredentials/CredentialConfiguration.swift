package import ConfigurationReading

/// Where credentials come from, and how near to their end they are still used.
package struct CredentialConfiguration: Sendable, Equatable {
    /// Of the stores that say nothing of theirs.
    package var selection = CredentialSelection.chain
    /// Seconds before their end from which on nothing is signed with them: no URL is shorter-lived for their sake.
    ///
    /// Instances are promised new credentials five minutes before the end of the old ones and no earlier (Amazon EC2
    /// User Guide, "Retrieve security credentials from instance metadata"), so it has to be less than that.
    package var minRemaining = 180

    /// The defaults.
    package init() {}

    /// Reads the section `aws`.
    package init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = try node.mapping(["credentials", "minRemaining"])
        keys.read("credentials", into: &selection, CredentialSelection.init(node:))
        // A role that was assumed by another one lives an hour at most.
        keys.read("minRemaining", into: &minRemaining) { try $0.seconds(in: 0...3600) }
    }
}

extension PerRole<CredentialSelection> {
    /// Reads a store's `credentials`: one source, or a mapping with `read` and `write`.
    ///
    /// - Parameter fallback: for a role that is left out.
    package init(node: ConfigurationNode, fallback: CredentialSelection) throws(ConfigurationError) {
        guard node.isMapping else {
            self.init(both: try CredentialSelection(node: node))
            return
        }
        let keys = try node.mapping(["read", "write"])
        self.init(
            read: try keys["read"].map(CredentialSelection.init(node:)) ?? fallback,
            write: try keys["write"].map(CredentialSelection.init(node:)) ?? fallback)
    }
}

extension CredentialSelection {
    package init(node: ConfigurationNode) throws(ConfigurationError) {
        guard let selection = CredentialSelection(try node.string()) else {
            throw node.error("must be \(Self.spellings)")
        }
        self = selection
    }
}
