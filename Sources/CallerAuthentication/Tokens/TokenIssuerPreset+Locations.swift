import HTTPClient
import Presigning
import Text

/// Where the providers publish their keys.
extension TokenIssuerPreset {
    /// A tenant for error messages; nil if the issuer does not follow from a tenant.
    var tenantExample: String? {
        switch self {
        case .cognito: "eu-west-1_AbCdEfGhI"
        case .auth0: "example.eu.auth0.com"
        case .okta: "example.okta.com"
        case .firebase: "my-project"
        case .supabase: "abcdefghijklmnopqrst"
        case .entra: "6babcaad-604b-40ac-a9d7-9fd97c0b779f"
        case .cognitoIdentity, .keycloak, .google: nil
        }
    }

    /// The `iss` of a tenant; nil if the tenant is not valid.
    func issuer(ofTenant tenant: String) -> String? {
        switch self {
        case .cognito:
            let parts = tenant.split(separator: "_", omittingEmptySubsequences: false)
            guard parts.count == 2, Self.isName(parts[1]),
                let host = S3Endpoint.regionalHost(of: "cognito-idp", in: String(parts[0]))
            else { return nil }
            return "https://\(host)/\(tenant)"
        case .auth0: return Self.isDomain(tenant) ? "https://\(tenant)/" : nil
        case .okta: return Self.isDomain(tenant) ? "https://\(tenant)/oauth2/default" : nil
        case .firebase: return Self.isName(tenant[...]) ? "https://securetoken.google.com/\(tenant)" : nil
        case .supabase: return Self.isName(tenant[...]) ? "https://\(tenant).supabase.co/auth/v1" : nil
        case .entra:
            // Tokens have the id even if the tenant is known by a domain, and `common` is not an issuer.
            return Self.isUUID(tenant) ? "https://login.microsoftonline.com/\(tenant)/v2.0" : nil
        case .cognitoIdentity, .keycloak, .google: return nil
        }
    }

    /// Where the keys of an issuer are; nil if they are found by discovery.
    func keySetting(of issuer: String) -> TokenIssuerConfiguration.KeySetting? {
        let text: String
        switch self {
        // Neither of these documents discovery for third parties.
        case .cognitoIdentity: text = issuer + "/.well-known/jwks_uri"
        case .supabase: text = issuer + "/.well-known/jwks.json"
        case .firebase:
            text = "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com"
        case .cognito, .auth0, .keycloak, .entra, .okta, .google: return nil
        }
        return RemoteKeySource.url(text).map { .url($0, isDiscovery: false) }
    }

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
