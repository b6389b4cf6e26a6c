package import Presigning

/// `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`, `AWS_CREDENTIAL_EXPIRATION`.
///
/// Source: AWS SDKs and Tools Reference Guide, "Environment variables"; the expiration is the AWS CLI's
/// `export-credentials` form (RFC 3339).
package struct EnvironmentCredentialSource: CredentialSource {
    private let environment: @Sendable (String) -> String?

    /// - Parameter environment: reads one variable.
    package init(environment: @escaping @Sendable (String) -> String?) {
        self.environment = environment
    }

    /// The keys, the token and its end; nil when neither key is set.
    package func credentials() throws(CredentialFailure) -> Credentials? {
        let id = value("AWS_ACCESS_KEY_ID")
        let secret = value("AWS_SECRET_ACCESS_KEY")
        guard let id, let secret else {
            if id == nil && secret == nil { return nil }
            let missing = id == nil ? "AWS_ACCESS_KEY_ID" : "AWS_SECRET_ACCESS_KEY"
            throw failure("\(missing) is not set though its companion is; set both or neither")
        }
        return try Credentials(
            from: "environment", id, secret, sessionToken: value("AWS_SESSION_TOKEN"), expiration: try expiration())
    }

    private func expiration() throws(CredentialFailure) -> SigningTime? {
        guard let text = value("AWS_CREDENTIAL_EXPIRATION") else { return nil }
        guard let time = SigningTime(rfc3339: text) else {
            throw failure("AWS_CREDENTIAL_EXPIRATION is no RFC 3339 time such as 2026-11-21T10:00:00Z")
        }
        return time
    }

    /// An empty variable counts as unset, as it does for the AWS SDKs.
    private func value(_ name: String) -> String? {
        guard let text = environment(name), !text.isEmpty else { return nil }
        return text
    }

    private func failure(_ reason: String) -> CredentialFailure {
        CredentialFailure(source: "environment", reason: reason)
    }
}
