/// What the configuration says about a store's credentials.
package enum CredentialSelection: Hashable, Sendable {
    /// The environment, then the shared files' profile, as the AWS SDKs do.
    case chain
    /// `AWS_ACCESS_KEY_ID` and its companions only.
    case environment
    /// One profile of the shared files only.
    case profile(String)

    /// Reads `chain`, `environment` or `profile:NAME`; nil for anything else.
    package init?(_ text: String) {
        switch text {
        case "chain": self = .chain
        case "environment": self = .environment
        default:
            guard text.utf8.starts(with: "profile:".utf8), text.utf8.count > "profile:".utf8.count else { return nil }
            self = .profile(String(text.dropFirst("profile:".count)))
        }
    }

    /// The source itself, reading the environment through `environment`.
    package func source(environment: @escaping @Sendable (String) -> String?) -> any CredentialSource {
        let variables = EnvironmentCredentialSource(environment: environment)
        switch self {
        case .environment: return variables
        case .profile(let name): return SharedFilesCredentialSource(profile: name, environment: environment)
        case .chain:
            return ChainedCredentialSource([
                variables, SharedFilesCredentialSource(profile: nil, environment: environment),
            ])
        }
    }
}
