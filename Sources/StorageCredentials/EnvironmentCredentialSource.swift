import Presigning

/// The environment variables `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN` (formerly
/// `AWS_SECURITY_TOKEN`) and `AWS_CREDENTIAL_EXPIRATION`.
///
/// Source: AWS SDKs and Tools Reference Guide, "Environment variables". The AWS CLI's `export-credentials` sets the
/// expiration (RFC 3339).
package struct EnvironmentCredentialSource: NamedCredentialSource {
    static let name = "environment"
    private let variables: CredentialVariables

    /// Creates a source that reads the variables on every call.
    package init(_ variables: CredentialVariables) {
        self.variables = variables
    }

    /// Returns the credentials, or nil if neither key is set.
    package func resolve() throws(CredentialFailure) -> CredentialResolution? {
        let id = variables["AWS_ACCESS_KEY_ID"]
        let secret = variables["AWS_SECRET_ACCESS_KEY"]
        guard let id, let secret else {
            if id == nil && secret == nil { return nil }
            let names = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]
            let (set, missing) = id == nil ? (names[1], names[0]) : (names[0], names[1])
            throw failure("\(set) is set but \(missing) is not; set both or neither")
        }
        return .keys(
            try Credentials(
                from: Self.name, id, secret,
                sessionToken: variables["AWS_SESSION_TOKEN"] ?? variables["AWS_SECURITY_TOKEN"],
                expiration: try expiration()))
    }

    private func expiration() throws(CredentialFailure) -> SigningTime? {
        guard let text = variables["AWS_CREDENTIAL_EXPIRATION"] else { return nil }
        guard let time = SigningTime(rfc3339: text) else {
            throw failure("AWS_CREDENTIAL_EXPIRATION must be an RFC 3339 time such as 2026-11-21T10:00:00Z")
        }
        return time
    }
}
