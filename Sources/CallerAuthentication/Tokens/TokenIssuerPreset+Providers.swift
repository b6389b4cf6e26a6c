import Cryptography
import DataFormats
import HTTPClient
import Presigning
import Text

extension TokenIssuerPreset {
    /// All presets, in the order of error messages.
    package static let allCases = [
        cognito, cognitoIdentity, auth0, firebase, supabase, keycloak, entra, okta, google, cloudflareAccess,
        googleIAP,
    ]

    /// Amazon Cognito user pools: ID and access tokens. The domain of a user pool is not part of its issuer, and an app
    /// client has the scope `profile` only if the operator adds it.
    package static let cognito = TokenIssuerPreset(
        rawValue: "cognito",
        tenant: Tenant(example: "eu-west-1_AbCdEfGhI") { tenant in
            let parts = tenant.split(separator: "_", omittingEmptySubsequences: false)
            guard parts.count == 2, isName(parts[1]),
                let host = S3Endpoint.regionalHost(of: "cognito-idp", in: String(parts[0]))
            else { return nil }
            return "https://\(host)/\(tenant)"
        },
        groups: ["cognito:groups"], tokenUse: [.id, .access],
        signIn: .code(token: .access, scopes: ["openid", "email"]), accessAudience: .client)

    /// Amazon Cognito identity pools: tokens from GetOpenIdToken. Their `sub` is the identity in Amplify's folders. They
    /// do not document discovery for third parties.
    package static let cognitoIdentity = TokenIssuerPreset(
        rawValue: "cognito-identity", issuer: "https://cognito-identity.amazonaws.com", algorithms: [.rs512],
        isAnonymous: { claims in
            ClaimPath(["amr"]).values(in: claims).contains { $0.string?.elementsEqual("unauthenticated".utf8) ?? false }
        },
        keySet: { $0 + "/.well-known/jwks_uri" },
        signIn: .sdk(reason: "an identity pool issues tokens only to the AWS SDK"))

    /// Auth0: access tokens of an API.
    package static let auth0 = TokenIssuerPreset(
        rawValue: "auth0",
        tenant: Tenant(example: "example.eu.auth0.com") { isDomain($0) ? "https://\($0)/" : nil },
        nameWithSlashedIssuer: "Auth0", groups: ["permissions"],
        endpoints: { ProviderEndpoints(authorization: $0 + "authorize", token: $0 + "oauth/token") },
        signIn: .code(token: .access, scopes: ["openid", "profile", "email", "offline_access"]),
        accessAudience: .parameter(
            required: "without which Auth0's access tokens are not JSON Web Tokens; set it to the identifier of an API")
    )

    /// Firebase: ID tokens.
    package static let firebase = TokenIssuerPreset(
        rawValue: "firebase",
        tenant: Tenant(example: "my-project") { isName($0[...]) ? "https://securetoken.google.com/\($0)" : nil },
        audience: { issuer in
            let project = issuer.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) }
            return issuer.utf8.starts(with: "https://securetoken.google.com/".utf8) ? project : nil
        },
        isAnonymous: { claims in
            claims["firebase"]?["sign_in_provider"]?.string?.elementsEqual("anonymous".utf8) ?? false
        },
        keySet: { _ in
            "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com"
        },
        signIn: .sdk(reason: "Firebase has no authorization endpoint"))

    /// Supabase Auth. It does not document discovery for third parties.
    package static let supabase = TokenIssuerPreset(
        rawValue: "supabase",
        tenant: Tenant(example: "abcdefghijklmnopqrst") {
            isName($0[...]) ? "https://\($0).supabase.co/auth/v1" : nil
        },
        audience: { _ in "authenticated" }, algorithms: [.es256, .rs256], secretAlgorithms: [.hs256], groups: ["role"],
        // The API key of a project, which is public, has the role `anon`.
        isAnonymous: { claims in
            claims["is_anonymous"]?.boolean ?? false || claims["role"]?.string?.elementsEqual("anon".utf8) ?? false
        },
        keySet: { $0 + "/.well-known/jwks.json" },
        signIn: .sdk(reason: "Supabase signs users in with endpoints of its own"))

    /// Keycloak. It signs logout tokens with the same keys, and marks the purpose of a token in the claim `typ`. It
    /// renews sign-ins without `offline_access`, and has the roles only in the access token.
    package static let keycloak = TokenIssuerPreset(
        rawValue: "keycloak", groups: ["realm_access", "roles"], typeClaims: ["Bearer", "ID"],
        endpoints: { issuer in
            let folder = issuer + "/protocol/openid-connect/"
            return ProviderEndpoints(authorization: folder + "auth", token: folder + "token")
        },
        signIn: .code(token: .access, scopes: ["openid", "profile", "email"]))

    /// Microsoft Entra ID. Without an API of its own, an application gets access tokens that only Microsoft Graph can
    /// verify.
    package static let entra = TokenIssuerPreset(
        rawValue: "entra",
        // Tokens have the id even if the tenant is known by a domain, and `common` is not an issuer.
        tenant: Tenant(example: "6babcaad-604b-40ac-a9d7-9fd97c0b779f") {
            isUUID($0) ? "https://login.microsoftonline.com/\($0)/v2.0" : nil
        },
        identity: "oid", groups: ["roles"],
        endpoints: { issuer in
            guard issuer.utf8.suffix(5).elementsEqual("/v2.0".utf8) else { return nil }
            let folder = issuer.dropLast(5) + "/oauth2/v2.0/"
            return ProviderEndpoints(authorization: folder + "authorize", token: folder + "token")
        },
        signIn: .code(token: .id, scopes: ["openid", "profile", "email", "offline_access"]))

    /// Okta: access tokens of a custom authorization server. Their `sub` is the login name, which can be given to
    /// another user.
    package static let okta = TokenIssuerPreset(
        rawValue: "okta",
        tenant: Tenant(example: "example.okta.com") { isDomain($0) ? "https://\($0)/oauth2/default" : nil },
        identity: "uid", groups: ["groups"],
        signIn: .code(token: .access, scopes: ["openid", "profile", "email", "offline_access"]))

    /// Google: ID tokens.
    package static let google = TokenIssuerPreset(
        rawValue: "google", issuer: "https://accounts.google.com",
        signIn: .sdk(reason: "Google requires the secret of a web client"))

    /// Cloudflare Access. The audience is the application's tag. Tokens of service tokens have an empty `sub`.
    package static let cloudflareAccess = TokenIssuerPreset(
        rawValue: "cloudflare-access",
        tenant: Tenant(example: "acme") { isName($0[...]) ? "https://\($0).cloudflareaccess.com" : nil },
        header: "Cf-Access-Jwt-Assertion", keySet: { $0 + "/cdn-cgi/access/certs" },
        signIn: .sdk(reason: "Cloudflare Access signs users in before they reach the page"))

    /// Google's Identity-Aware Proxy. The audience names the backend.
    package static let googleIAP = TokenIssuerPreset(
        rawValue: "google-iap", issuer: "https://cloud.google.com/iap", algorithms: [.es256],
        header: "X-Goog-IAP-JWT-Assertion", keySet: { _ in "https://www.gstatic.com/iap/verify/public_key-jwk" },
        signIn: .sdk(reason: "Identity-Aware Proxy signs users in before they reach the page"))
}

extension TokenIssuerPreset {
    /// Whether a text is a lower-case domain name with at least two labels.
    private static func isDomain(_ text: String) -> Bool {
        guard let url = FetchURL("https://" + text), case .name(let name) = url.host else { return false }
        return name.utf8.elementsEqual(text.utf8) && name.utf8.contains(UInt8(ascii: "."))
    }

    /// Whether a text is 1 to 64 letters, digits and inner hyphens.
    private static func isName(_ text: Substring) -> Bool {
        let hyphen = UInt8(ascii: "-")
        return 1...64 ~= text.utf8.count && text.utf8.first != hyphen && text.utf8.last != hyphen
            && text.utf8.allSatisfy { ASCII.isAlphanumeric($0) || $0 == hyphen }
    }

    /// Whether a text is a UUID in lower case (RFC 9562 section 4).
    private static func isUUID(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return parts.map(\.count) == [8, 4, 4, 4, 12]
            && parts.allSatisfy { $0.allSatisfy(ASCII.isLowercaseHexadecimal) }
    }
}
