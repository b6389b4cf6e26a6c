import Cryptography

/// Defaults for the tokens of an identity provider. Explicit settings override them.
package enum TokenIssuerPreset: String, CaseIterable, Sendable {
    /// Amazon Cognito user pools: ID and access tokens.
    case cognito
    /// Amazon Cognito identity pools: tokens from GetOpenIdToken. Their `sub` is the identity in Amplify's folders.
    case cognitoIdentity = "cognito-identity"
    case auth0, firebase, supabase, keycloak, entra
    /// Okta: access tokens of a custom authorization server.
    case okta
    /// Google: ID tokens.
    case google

    /// The provider's `iss`, if it is the same for all customers.
    var issuer: String? {
        switch self {
        case .cognitoIdentity: "https://cognito-identity.amazonaws.com"
        case .google: "https://accounts.google.com"
        case .cognito, .auth0, .firebase, .supabase, .keycloak, .entra, .okta: nil
        }
    }

    /// The audience, if it is fixed or part of the issuer.
    func audience(of issuer: String) -> String? {
        switch self {
        case .supabase: return "authenticated"
        case .firebase:
            let project = issuer.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) }
            return issuer.utf8.starts(with: "https://securetoken.google.com/".utf8) ? project : nil
        case .cognito, .cognitoIdentity, .auth0, .keycloak, .entra, .okta, .google: return nil
        }
    }

    /// The algorithms that the provider signs with; nil if it has none for this kind of key.
    func algorithms(withSecret isSecret: Bool) -> [SignatureAlgorithm]? {
        switch (self, isSecret) {
        case (.supabase, true): [.hs256]
        case (_, true): nil
        case (.supabase, false): [.es256, .rs256]
        case (.cognitoIdentity, false): [.rs512]
        case (.cognito, false), (.auth0, false), (.firebase, false), (.keycloak, false), (.entra, false),
            (.okta, false),
            (.google, false):
            [.rs256]
        }
    }

    /// The claim with the user's permanent id.
    var identity: String {
        switch self {
        case .entra: "oid"
        // The `sub` of Okta's access tokens is the login name, which can be given to another user.
        case .okta: "uid"
        case .cognito, .cognitoIdentity, .auth0, .firebase, .supabase, .keycloak, .google: "sub"
        }
    }

    /// The claim with groups. Never one that users can edit, such as Supabase's `user_metadata`.
    var groups: [String]? {
        switch self {
        case .cognito: ["cognito:groups"]
        case .auth0: ["permissions"]
        case .supabase: ["role"]
        case .keycloak: ["realm_access", "roles"]
        case .entra: ["roles"]
        case .okta: ["groups"]
        case .cognitoIdentity, .firebase, .google: nil
        }
    }

    var anonymity: TokenAnonymity? {
        switch self {
        case .cognitoIdentity: .cognitoIdentity
        case .firebase: .firebase
        case .supabase: .supabase
        case .cognito, .auth0, .keycloak, .entra, .okta, .google: nil
        }
    }

    /// Keycloak signs logout tokens with the same keys, and marks the purpose of a token in the claim `typ`.
    var typeClaims: [[UInt8]]? { self == .keycloak ? ["Bearer", "ID"].map { Array($0.utf8) } : nil }

    var tokenUse: TokenUse { self == .cognito ? .either : .unchecked }
}
