import Presigning

/// `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN` (once `AWS_SECURITY_TOKEN`),
/// `AWS_CREDENTIAL_EXPIRATION`.
///
/// Source: AWS SDKs and Tools Reference Guide, "Environment variables"; the expiration is the AWS CLI's
/// `export-credentials` form (RFC 3339).
package struct EnvironmentCredentialSource: CredentialSource {
    private let variables: CredentialVariables

    /// A source that looks into these variables each time it is asked.
    package init(_ variables: CredentialVariables) {
        self.variables = variables
    }

    /// The keys, the token and its end; nil when neither key is set.
    package func origin() throws(CredentialFailure) -> CredentialResolution? {
        let id = variables["AWS_ACCESS_KEY_ID"]
        let secret = variables["AWS_SECRET_ACCESS_KEY"]
        guard let id, let secret else {
            if id == nil && secret == nil { return nil }
            let missing = id == nil ? "AWS_ACCESS_KEY_ID" : "AWS_SECRET_ACCESS_KEY"
            throw failure("\(missing) is not set though its companion is; set both or neither")
        }
        return .keys(
            try Credentials(
                from: "environment", id, secret,
                sessionToken: variables["AWS_SESSION_TOKEN"] ?? variables["AWS_SECURITY_TOKEN"],
                expiration: try expiration()))
    }

    private func expiration() throws(CredentialFailure) -> SigningTime? {
        guard let text = variables["AWS_CREDENTIAL_EXPIRATION"] else { return nil }
        guard let time = SigningTime(rfc3339: text) else {
            throw failure("AWS_CREDENTIAL_EXPIRATION is no RFC 3339 time such as 2026-11-21T10:00:00Z")
        }
        return time
    }

    private func failure(_ reason: String) -> CredentialFailure {
        CredentialFailure(source: "environment", reason: reason)
    }
}
