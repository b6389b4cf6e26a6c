import HTTPClient

extension CallerAuthenticator {
    /// Returns the endpoints in an issuer's discovery document; nil without one, and before it is fetched.
    ///
    /// - Parameter name: The issuer's name in the configuration.
    package func discoveredEndpoints(ofIssuer name: String) -> ProviderEndpoints? {
        endpoints(ofIssuer: name).map {
            ProviderEndpoints(
                authorization: $0.authorization.origin + $0.authorization.target,
                token: $0.token.origin + $0.token.target)
        }
    }
}
