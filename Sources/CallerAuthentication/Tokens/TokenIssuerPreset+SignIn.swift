import HTTPClient

/// The token that a web page sends to the service after a sign-in.
package enum SignInToken: String, CaseIterable, Sendable {
    case access, id
}

/// How a web page without a secret signs users in with a provider.
package enum SignInFlow: Sendable {
    /// By an authorization code with PKCE (RFC 7636). Both are defaults: the token that the service can verify, and the
    /// scopes for the user's name and for renewal.
    case code(token: SignInToken, scopes: [String])
    /// Only with the provider's own SDK, for this reason.
    case sdk(reason: String)

    /// The flow of a provider without a preset. Its access tokens may not be JSON Web Tokens.
    package static let standard = SignInFlow.code(token: .id, scopes: ["openid", "profile"])
}

/// The URLs of a provider to which a page leads its users, and at which it gets their tokens (RFC 6749 section 3).
package struct ProviderEndpoints: Sendable, Equatable {
    package let authorization, token: String

    package init(authorization: String, token: String) {
        (self.authorization, self.token) = (authorization, token)
    }
}

extension TokenIssuerConfiguration {
    /// Whether the issuer's discovery document is fetched.
    package var usesDiscovery: Bool { keys.remote?.isDiscovery == true }
}

extension TokenIssuerPreset {
    /// Returns the endpoints of an issuer; nil if they do not follow from it.
    package func endpoints(of issuer: String) -> ProviderEndpoints? {
        switch self {
        case .auth0: return ProviderEndpoints(authorization: issuer + "authorize", token: issuer + "oauth/token")
        case .keycloak:
            let folder = issuer + "/protocol/openid-connect/"
            return ProviderEndpoints(authorization: folder + "auth", token: folder + "token")
        case .entra:
            guard issuer.utf8.suffix(5).elementsEqual("/v2.0".utf8) else { return nil }
            let folder = issuer.dropLast(5) + "/oauth2/v2.0/"
            return ProviderEndpoints(authorization: folder + "authorize", token: folder + "token")
        // The domain of a user pool is not part of its issuer.
        case .cognito, .cognitoIdentity, .firebase, .supabase, .okta, .google: return nil
        }
    }

    /// How a web page signs users in with the provider.
    package var signInFlow: SignInFlow {
        switch self {
        // An app client of Cognito has the scope `profile` only if the operator adds it.
        case .cognito: .code(token: .access, scopes: ["openid", "email"])
        case .auth0: .code(token: .access, scopes: ["openid", "profile", "email", "offline_access"])
        // Keycloak renews sign-ins without `offline_access`, and has the roles only in the access token.
        case .keycloak: .code(token: .access, scopes: ["openid", "profile", "email"])
        // Without an API of its own, an application gets access tokens that only Microsoft Graph can verify.
        case .entra: .code(token: .id, scopes: ["openid", "profile", "email", "offline_access"])
        case .okta: .code(token: .access, scopes: ["openid", "profile", "email", "offline_access"])
        case .google: .sdk(reason: "Google requires the secret of a web client")
        case .firebase: .sdk(reason: "Firebase has no authorization endpoint")
        case .supabase: .sdk(reason: "Supabase signs users in with endpoints of its own")
        case .cognitoIdentity: .sdk(reason: "an identity pool issues tokens only to the AWS SDK")
        }
    }
}
