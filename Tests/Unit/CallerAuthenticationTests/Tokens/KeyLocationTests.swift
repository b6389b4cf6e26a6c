import TestSupport
import Testing

@testable import CallerAuthentication
@testable import DataFormats
@testable import HTTPClient

@Suite("Where an issuer's keys are fetched")
struct KeyLocationTests {
    /// The settings of an issuer, its `iss`, and the URL that is fetched.
    struct Case: Sendable, CustomTestStringConvertible {
        let settings: String
        let issuer: String
        let url: String
        let isDiscovery: Bool
        var testDescription: String { settings }

        init(_ settings: String, _ issuer: String, _ url: String, isDiscovery: Bool = true) {
            (self.settings, self.issuer, self.url, self.isDiscovery) = (settings, issuer, url, isDiscovery)
        }
    }

    private static let document = ".well-known/openid-configuration"

    static let cases: [Case] = [
        Case(
            "preset: cognito, tenant: eu-west-1_AbCdEfGhI, audience: c",
            "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEfGhI",
            "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEfGhI/\(document)"),
        Case(
            "preset: cognito, tenant: cn-north-1_A1, audience: c",
            "https://cognito-idp.cn-north-1.amazonaws.com.cn/cn-north-1_A1",
            "https://cognito-idp.cn-north-1.amazonaws.com.cn/cn-north-1_A1/\(document)"),
        Case(
            "preset: cognito-identity, audience: p", "https://cognito-identity.amazonaws.com",
            "https://cognito-identity.amazonaws.com/.well-known/jwks_uri", isDiscovery: false),
        Case(
            "preset: auth0, tenant: acme.eu.auth0.com, audience: a", "https://acme.eu.auth0.com/",
            "https://acme.eu.auth0.com/\(document)"),
        Case(
            "preset: auth0, issuer: \"https://login.acme.com/\", audience: a", "https://login.acme.com/",
            "https://login.acme.com/\(document)"),
        Case(
            "preset: firebase, tenant: proj-1", "https://securetoken.google.com/proj-1",
            "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com",
            isDiscovery: false),
        Case(
            "preset: supabase, tenant: abcdefghijklmnopqrst", "https://abcdefghijklmnopqrst.supabase.co/auth/v1",
            "https://abcdefghijklmnopqrst.supabase.co/auth/v1/.well-known/jwks.json", isDiscovery: false),
        Case(
            "preset: keycloak, issuer: \"https://sso.acme.com/realms/web\", audience: a",
            "https://sso.acme.com/realms/web", "https://sso.acme.com/realms/web/\(document)"),
        Case(
            "preset: entra, tenant: 6babcaad-604b-40ac-a9d7-9fd97c0b779f, audience: a",
            "https://login.microsoftonline.com/6babcaad-604b-40ac-a9d7-9fd97c0b779f/v2.0",
            "https://login.microsoftonline.com/6babcaad-604b-40ac-a9d7-9fd97c0b779f/v2.0/\(document)"),
        Case(
            "preset: okta, tenant: acme.okta.com, audience: a", "https://acme.okta.com/oauth2/default",
            "https://acme.okta.com/oauth2/default/\(document)"),
        Case(
            "preset: google, audience: a", "https://accounts.google.com", "https://accounts.google.com/\(document)"),
        Case(
            "preset: cloudflare-access, tenant: acme, audience: a", "https://acme.cloudflareaccess.com",
            "https://acme.cloudflareaccess.com/cdn-cgi/access/certs", isDiscovery: false),
        Case(
            "preset: google-iap, audience: a", "https://cloud.google.com/iap",
            "https://www.gstatic.com/iap/verify/public_key-jwk", isDiscovery: false),
        Case(
            "issuer: \"https://idp.example/a/\", audience: a, algorithms: [RS256], discovery: true",
            "https://idp.example/a/", "https://idp.example/a/\(document)"),
        Case(
            "issuer: \"http://localhost:8080/realms/a\", audience: a, algorithms: [RS256], discovery: true",
            "http://localhost:8080/realms/a", "http://localhost:8080/realms/a/\(document)"),
        Case(
            "issuer: i, audience: a, algorithms: [RS256], jwks: \"https://idp.example/keys?v=1\"", "i",
            "https://idp.example/keys?v=1", isDiscovery: false),
        Case(
            "preset: auth0, tenant: a.auth0.com, audience: a, jwks: \"https://mirror.example/keys\"",
            "https://a.auth0.com/", "https://mirror.example/keys", isDiscovery: false),
    ]

    @Test(
        "A preset, a tenant and an audience are a complete configuration; explicit settings override them",
        arguments: cases)
    func location(_ test: Case) throws {
        let issuer = try #require(try TokenFixture.configuration("- {name: users, \(test.settings)}").first)
        #expect(issuer.issuer == Array(test.issuer.utf8))
        let source = try #require(issuer.keySource)
        #expect(source.url.text == test.url && source.isDiscovery == test.isDiscovery)
        #expect(source.issuer == issuer.issuer && source.maxStale == 86_400 && source.algorithms == issuer.algorithms)
    }

    @Test(
        "Only a tenant of the provider is accepted",
        arguments: [
            ("cognito", "eu-west-1"), ("cognito", "eu-west-1_"), ("cognito", "eu-west-1_a/b"), ("cognito", "eu west_a"),
            ("cognito", "a.evil.example/_a"), ("auth0", "acme"), ("auth0", "acme.auth0.com/"),
            ("auth0", "a@b.auth0.com"),
            ("auth0", "ACME.auth0.com"), ("auth0", "acme.auth0.com:8443"), ("auth0", "127.0.0.1"),
            ("okta", "acme.okta.com/oauth2"), ("firebase", "a/b"), ("firebase", "-a"), ("supabase", "a.b"),
            ("entra", "common"), ("entra", "organizations"), ("entra", "acme.onmicrosoft.com"),
            ("entra", "6BABCAAD-604b-40ac-a9d7-9fd97c0b779f"), ("google", "acme.com"), ("keycloak", "web"),
            ("cloudflare-access", "acme.cloudflareaccess.com"), ("cloudflare-access", "a/b"), ("google-iap", "acme"),
        ])
    func tenants(preset: String, tenant: String) throws {
        #expect(throws: ConfigurationError.self) {
            _ = try TokenFixture.configuration("- {name: users, preset: \(preset), tenant: \"\(tenant)\", audience: a}")
        }
    }
}
