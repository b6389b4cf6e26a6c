/// What the configuration says about a store's credentials.
package enum CredentialSelection: Hashable, Sendable {
    /// The first that is configured of environment, web identity, the shared files' profile, container and instance, as the
    /// AWS SDKs do.
    case chain
    /// `AWS_ACCESS_KEY_ID` and its companions only.
    case environment
    /// One profile of the shared files only.
    case profile(String)
    /// The `credential_process` of the profile that `AWS_PROFILE` names, or of the default one; its keys are passed over.
    case process
    /// The endpoint that ECS or EKS Pod Identity gives a container.
    case container
    /// The metadata service of an EC2 instance.
    case imds
    /// A web identity token that STS takes for a role's credentials, as EKS gives a service account one.
    case webIdentity

    /// How it may be written, for errors.
    package static let spellings = "chain, environment, profile:NAME, process, container, imds or webIdentity"

    /// Reads one of the spellings; nil for anything else.
    package init?(_ text: String) {
        switch text {
        case "chain": self = .chain
        case "environment": self = .environment
        case "process": self = .process
        case "container": self = .container
        case "imds": self = .imds
        case "webIdentity": self = .webIdentity
        default:
            guard text.utf8.starts(with: "profile:".utf8), text.utf8.count > "profile:".utf8.count else { return nil }
            self = .profile(String(text.dropFirst("profile:".count)))
        }
    }

    /// The source itself, reading the environment through `environment`.
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

    /// What to do when nothing is configured.
    package var mend: String {
        switch self {
        case .chain:
            "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, name a profile of the shared files in AWS_PROFILE, or run"
                + " where a container's or an instance's role gives some"
        case .environment: "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
        case .profile, .process: "add credential_process to the profile in the shared configuration file"
        case .container: "set AWS_CONTAINER_CREDENTIALS_RELATIVE_URI or AWS_CONTAINER_CREDENTIALS_FULL_URI"
        case .imds: "unset AWS_EC2_METADATA_DISABLED"
        case .webIdentity: "set AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN"
        }
    }
}

extension CredentialSelection: CustomStringConvertible {
    /// As it is written in the configuration.
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

/// The environment as the sources read it.
package struct CredentialVariables: Sendable {
    private let environment: @Sendable (String) -> String?

    /// - Parameter environment: reads one variable.
    package init(_ environment: @escaping @Sendable (String) -> String?) {
        self.environment = environment
    }

    /// A variable's value. An empty one counts as unset, as it does for the AWS SDKs.
    package subscript(name: String) -> String? {
        guard let text = environment(name), !text.isEmpty else { return nil }
        return text
    }

    /// Whether a variable says `true`, in whatever case.
    func isTrue(_ name: String) -> Bool {
        self[name].map { $0.lowercased() == "true" } ?? false
    }
}
