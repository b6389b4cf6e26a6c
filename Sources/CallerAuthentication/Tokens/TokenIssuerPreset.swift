import Cryptography
import DataFormats

/// Defaults for the tokens of an identity provider. Explicit settings override them.
///
/// `TokenIssuerPreset+Providers.swift` has the values; CONTRIBUTING.md says how to add one.
package struct TokenIssuerPreset: Sendable {
    /// How an issuer follows from the name of a customer.
    struct Tenant: Sendable {
        /// A tenant for error messages.
        let example: String
        /// Returns the `iss`; nil if the tenant is not valid.
        let issuer: @Sendable (_ tenant: String) -> String?
    }

    /// The name in the configuration.
    package let rawValue: String
    /// The provider's `iss`, if it is the same for all customers.
    var issuer: String?
    /// Nil if the issuer does not follow from a tenant.
    var tenant: Tenant?
    /// The provider's name, if its `iss` ends in a slash, which is often forgotten.
    var nameWithSlashedIssuer: String?
    /// Returns the audience of an issuer, if it is fixed or part of the issuer.
    var audience: (@Sendable (_ issuer: String) -> String?)?
    /// The algorithms that the provider signs with.
    var algorithms: [SignatureAlgorithm] = [.rs256]
    /// The algorithms that it uses with a secret; nil if it has none.
    var secretAlgorithms: [SignatureAlgorithm]?
    /// The claim with the user's permanent id.
    var identity = "sub"
    /// The claim with groups. Never one that users can edit, such as Supabase's `user_metadata`.
    var groups: [String]?
    /// Whether a token belongs to an anonymous user.
    var isAnonymous: @Sendable (_ claims: JSONValue) -> Bool = { _ in false }
    /// The accepted values of the claim `typ`, if a token has it; nil accepts any value.
    var typeClaims: [String]?
    /// The accepted kinds of Cognito tokens; empty if the kind is not checked.
    var tokenUse: [TokenUse] = []
    /// The header in which the provider's proxy sends tokens; nil for `Authorization`.
    var header: String?
    /// Returns the URL of an issuer's keys; nil if they are found by discovery.
    var keySet: (@Sendable (_ issuer: String) -> String)?
    /// Returns where the users of an issuer sign in; nil if that does not follow from it.
    var endpoints: @Sendable (_ issuer: String) -> ProviderEndpoints? = { _ in nil }
    /// How a web page signs users in with the provider.
    var signIn: SignInFlow
    /// The audience of access tokens.
    var accessAudience = AccessTokenAudience.parameter(required: nil)
}

extension TokenIssuerPreset: RawRepresentable, CaseIterable {
    package init?(rawValue: String) {
        guard let preset = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = preset
    }
}

/// The token that a web page sends to the service after a sign-in.
enum SignInToken: String, CaseIterable, Sendable {
    case access, id
}

/// How a web page without a secret signs users in with a provider.
enum SignInFlow: Sendable {
    /// By an authorization code with PKCE (RFC 7636). Both are defaults: the token that the service can verify, and the
    /// scopes for the user's name and for renewal.
    case code(token: SignInToken, scopes: [String])
    /// Only with the provider's own SDK, for this reason.
    case sdk(reason: String)

    /// The flow of a provider without a preset. Its access tokens may not be JSON Web Tokens.
    static let standard = SignInFlow.code(token: .id, scopes: ["openid", "profile"])
}

/// The audience of the access tokens that a web page gets.
enum AccessTokenAudience: Sendable {
    /// The client id.
    case client
    /// The parameter `audience` of the authorization request. `required` says why it must not be omitted.
    case parameter(required: String?)
}

/// The URLs of a provider to which a page leads its users, and at which it gets their tokens (RFC 6749 section 3). Those
/// of a discovery document use `https`, or are on this machine like the issuer.
package struct ProviderEndpoints: Sendable, Equatable {
    package let authorization, token: String

    package init(authorization: String, token: String) {
        (self.authorization, self.token) = (authorization, token)
    }
}
