package import DataFormats

/// A credential source as named in the configuration.
package enum CredentialSelection: Hashable, Sendable {
    /// The first configured source in this order: environment, web identity, profile of the shared files, container,
    /// instance. The AWS SDKs use the same order.
    case chain
    /// The environment variable `AWS_ACCESS_KEY_ID` and those that belong to it.
    case environment
    /// The named profile of the shared files.
    case profile(String)
    /// The `credential_process` of the profile named in `AWS_PROFILE`, or of the default profile. Its keys are ignored.
    case process
    /// The credential endpoint that ECS or EKS Pod Identity provides to a container.
    case container
    /// The metadata service of an EC2 instance.
    case imds
    /// A role that STS issues credentials for in exchange for a web identity token, as with EKS service accounts.
    case webIdentity

    /// The valid values for messages.
    package static let spellings = "chain, environment, profile:NAME, process, container, imds or webIdentity"

    /// The selections except profiles.
    private static let named = [chain, environment, process, container, imds, webIdentity]

    /// The valid values except profiles.
    static let words = named.map(\.description)

    /// Parses a configuration value. Returns nil if it is invalid.
    package init?(_ text: String) {
        if let index = Self.words.firstIndex(where: { $0.utf8.elementsEqual(text.utf8) }) {
            self = Self.named[index]
        } else {
            guard text.utf8.starts(with: "profile:".utf8), text.utf8.count > "profile:".utf8.count else { return nil }
            self = .profile(String(text.dropFirst("profile:".count)))
        }
    }

    /// Returns the source.
    ///
    /// - Parameter environment: returns the value of an environment variable.
    package func source(environment: @escaping @Sendable (String) -> String?) -> any CredentialSource {
        let variables = CredentialVariables(environment)
        return switch self {
        case .environment: EnvironmentCredentialSource(variables)
        case .profile(let name): SharedFilesCredentialSource(variables, profile: name)
        case .process: SharedFilesCredentialSource(variables, profile: nil, takesKeys: false)
        case .container: ContainerCredentialSource(variables)
        case .imds: InstanceCredentialSource(variables)
        case .webIdentity: WebIdentityCredentialSource(variables)
        case .chain:
            ChainedCredentialSource([
                EnvironmentCredentialSource(variables), WebIdentityCredentialSource(variables),
                SharedFilesCredentialSource(variables, profile: nil), ContainerCredentialSource(variables),
                InstanceCredentialSource(variables, endsChain: true),
            ])
        }
    }

    /// The suggestion for a source that is not configured.
    package var hint: String {
        switch self {
        case .chain:
            "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, set AWS_PROFILE to a profile of the shared files, or run"
                + " presign with a container or instance role"
        case .environment: "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
        case .profile, .process: "add credential_process to the profile in the shared configuration file"
        case .container: "set AWS_CONTAINER_CREDENTIALS_RELATIVE_URI or AWS_CONTAINER_CREDENTIALS_FULL_URI"
        case .imds: "unset AWS_EC2_METADATA_DISABLED"
        case .webIdentity: "set AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN"
        }
    }

    package init(node: ConfigurationNode) throws(ConfigurationError) {
        let text = try node.string()
        guard let selection = CredentialSelection(text) else {
            // Does not quote the text, which may be a secret.
            throw node.error("must be \(Self.spellings)" + Suggestion.text(for: text, among: Self.words))
        }
        self = selection
    }
}

extension CredentialSelection: CustomStringConvertible {
    /// The value in the configuration.
    package var description: String {
        switch self {
        case .chain: "chain"
        case .environment: "environment"
        case .profile(let name): "profile:\(name)"
        case .process: "process"
        case .container: "container"
        case .imds: "imds"
        case .webIdentity: "webIdentity"
        }
    }
}

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
