import Cryptography

/// What is known of the tokens of a service for identities; whatever the configuration says itself wins.
package enum TokenIssuerPreset: String, CaseIterable, Sendable {
    /// Amazon Cognito user pools: ID and access tokens.
    case cognito
    /// Amazon Cognito identity pools: what GetOpenIdToken gives. Its `sub` is the identity of Amplify's folders.
    case cognitoIdentity = "cognito-identity"
    case auth0, firebase, supabase, keycloak, entra

    /// The issuer, where there is but one.
    var issuer: String? {
        self == .cognitoIdentity ? "https://cognito-identity.amazonaws.com" : nil
    }

    /// The audience that follows from the issuer.
    func audience(of issuer: String) -> String? {
        switch self {
        case .supabase: return "authenticated"
        case .firebase:
            let project = issuer.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) }
            return issuer.utf8.starts(with: "https://securetoken.google.com/".utf8) ? project : nil
        case .cognito, .cognitoIdentity, .auth0, .keycloak, .entra: return nil
        }
    }

    /// What it signs with; nil when that does not go with the keys at hand.
    func algorithms(withSecret isSecret: Bool) -> [SignatureAlgorithm]? {
        switch (self, isSecret) {
        case (.supabase, true): [.hs256]
        case (_, true): nil
        case (.supabase, false): [.es256, .rs256]
        case (.cognitoIdentity, false): [.rs512]
        case (.cognito, false), (.auth0, false), (.firebase, false), (.keycloak, false), (.entra, false): [.rs256]
        }
    }

    /// The claim that names the user for good.
    var identity: String { self == .entra ? "oid" : "sub" }

    /// The claim that holds groups; never one that users can write themselves, as Supabase's `user_metadata`.
    var groups: [String]? {
        switch self {
        case .cognito: ["cognito:groups"]
        case .auth0: ["permissions"]
        case .supabase: ["role"]
        case .keycloak: ["realm_access", "roles"]
        case .entra: ["roles"]
        case .cognitoIdentity, .firebase: nil
        }
    }

    var anonymity: TokenAnonymity? {
        switch self {
        case .cognitoIdentity: .cognitoIdentity
        case .firebase: .firebase
        case .supabase: .supabase
        case .cognito, .auth0, .keycloak, .entra: nil
        }
    }

    /// Keycloak says in a claim what a token is for, and signs those of logouts with the keys of all others.
    var typeClaims: [[UInt8]]? { self == .keycloak ? ["Bearer", "ID"].map { Array($0.utf8) } : nil }

    var tokenUse: TokenUse { self == .cognito ? .either : .unchecked }
}
