import DataFormats

/// How an issuer marks the tokens of anonymous users.
package enum TokenAnonymity: Sendable {
    /// Amazon Cognito identity pools: `amr` contains `unauthenticated`.
    case cognitoIdentity
    /// Firebase: `firebase.sign_in_provider` is `anonymous`.
    case firebase
    /// Supabase: `is_anonymous` is true, or `role` is `anon`, as in a project's public API key.
    case supabase

    func holds(in claims: JSONValue) -> Bool {
        switch self {
        case .cognitoIdentity:
            ClaimPath(["amr"]).values(in: claims).contains { $0.string?.elementsEqual("unauthenticated".utf8) ?? false }
        case .firebase:
            ClaimPath(["firebase", "sign_in_provider"]).value(in: claims)?.string?.elementsEqual("anonymous".utf8)
                ?? false
        case .supabase:
            claims["is_anonymous"]?.boolean ?? false || claims["role"]?.string?.elementsEqual("anon".utf8) ?? false
        }
    }
}
