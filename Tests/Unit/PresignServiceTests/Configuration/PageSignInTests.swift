import Testing

@testable import CallerAuthentication
@testable import DataFormats
@testable import PresignService

@Suite("Signing in on the page, as configured")
struct PageSignInTests {
    private static func configuration(
        _ signIn: String, issuer: String = "preset: keycloak, audience: files",
        sections: String = "server: {listen: \"127.0.0.1:8080\"}"
    ) throws -> ServiceConfiguration {
        let yaml = """
            version: 1
            stores: {media: {bucket: acme-media, region: eu-west-1}}
            auth: {jwt: [{name: users, issuer: "https://id.test/", jwks: keys, \(issuer)}]}
            page: {signIn: {\(signIn)}}
            rules: [{path: a, allow: {authenticated: [get]}}]
            limits: {perCaller: 10/s}
            \(sections)
            """
        return try ServiceConfiguration(parsing: Array(yaml.utf8), file: "c.yaml")
    }

    private static let client = "issuer: users, clientID: files"
    private static let urls = "authorizationEndpoint: https://id.test/a, tokenEndpoint: https://id.test/t"

    @Test(
        "The preset has the defaults for token, scopes and endpoints",
        arguments: [
            ("preset: keycloak, audience: files", SignInToken.access, "openid profile email"),
            ("preset: auth0, audience: files", .access, "openid profile email offline_access"),
            ("preset: entra, audience: files", .id, "openid profile email offline_access"),
            ("preset: cognito, audience: files", .access, "openid email"),
            ("preset: okta, audience: files", .access, "openid profile email offline_access"),
            ("audience: files, algorithms: [RS256]", .id, "openid profile"),
        ])
    func defaults(issuer: String, token: SignInToken, scopes: String) throws {
        let client = "\(Self.client), \(Self.urls)"
        let found = try #require(try Self.configuration(client, issuer: issuer).pageSignIn)
        #expect(found.token == token && found.scopes.joined(separator: " ") == scopes)
        #expect(found.audience == nil && found.clientID == "files")
        #expect(found.issuerName == "users" && found.issuer == "https://id.test/")
        let all = "scopes: [openid, x], token: id, audience: b, \(Self.urls)"
        let set = try #require(try Self.configuration("\(Self.client), \(all)", issuer: issuer).pageSignIn)
        #expect(set.token == .id && set.scopes == ["openid", "x"] && set.audience == "b")
        #expect(set.endpoints == ProviderEndpoints(authorization: "https://id.test/a", token: "https://id.test/t"))
    }

    @Test(
        "Endpoints follow from the issuer",
        arguments: [
            (
                TokenIssuerPreset.auth0, "https://a.eu.auth0.com/", "https://a.eu.auth0.com/authorize",
                "https://a.eu.auth0.com/oauth/token"
            ),
            (
                .keycloak, "https://h/realms/r", "https://h/realms/r/protocol/openid-connect/auth",
                "https://h/realms/r/protocol/openid-connect/token"
            ),
            (
                .entra, "https://login.microsoftonline.com/T/v2.0",
                "https://login.microsoftonline.com/T/oauth2/v2.0/authorize",
                "https://login.microsoftonline.com/T/oauth2/v2.0/token"
            ),
        ])
    func endpoints(preset: TokenIssuerPreset, issuer: String, authorization: String, token: String) {
        let expected = ProviderEndpoints(authorization: authorization, token: token)
        #expect(preset.endpoints(issuer) == expected)
    }

    @Test(
        "Mistakes name the field and the fix",
        arguments: [
            ("issuer: user, clientID: a", "`page.signIn.issuer` is `user`, but `auth.jwt` has no issuer"),
            ("issuer: user, clientID: a", "did you mean `users`?"), ("issuer: users", "needs the key `clientID`"),
            ("clientID: a", "needs the key `issuer`"), ("issuer: users, clientID: é", "visible ASCII"),
            ("issuer: users, clientID: a b", "without blanks"),
            ("\(client), scopes: [profile]", "must contain `openid`"), ("\(client), token: refresh", "access"),
            ("\(client), tokenEndpoint: https://id.test/t", "needs the key `authorizationEndpoint`"),
            ("\(client), authorizationEndpoint: http://id.test/a, tokenEndpoint: https://id.test/t", "an https URL"),
            ("\(client), authorizationEndpoint: https://id.test/a, tokenEndpoint: t", "an https URL"),
            ("\(client), clientSecret: x", "unknown key `page.signIn.clientSecret`"),
        ])
    func mistakes(signIn: String, message: String) {
        let error = #expect(throws: ConfigurationError.self) { _ = try Self.configuration(signIn) }
        #expect(error?.mistakes.contains { $0.description.contains(message) } == true, "\(String(describing: error))")
    }

    @Test(
        "A provider without such a flow is refused by name, with the alternative",
        arguments: ["firebase", "supabase", "cognito-identity", "google"])
    func sdk(preset: String) {
        let error = #expect(throws: ConfigurationError.self) {
            _ = try Self.configuration(Self.client, issuer: "preset: \(preset), audience: files")
        }
        #expect(error?.message.contains("with the preset `\(preset)`") == true)
        #expect(error?.message.contains("use the provider's SDK") == true)
    }

    @Test(
        "Users whose tokens a proxy sends are signed in before they reach the page",
        arguments: ["preset: google-iap, audience: a", "preset: keycloak, audience: a, header: X-Token"])
    func proxied(issuer: String) {
        let error = #expect(throws: ConfigurationError.self) {
            _ = try Self.configuration(Self.client, issuer: issuer)
        }
        #expect(error?.message.contains("tokens are read from the header `x-") == true)
        #expect(error?.message.contains("remove `page.signIn`") == true)
    }

    @Test(
        "Without endpoints from the preset, both are required",
        arguments: ["preset: cognito, audience: files", "audience: files, algorithms: [RS256]"])
    func unknownEndpoints(issuer: String) {
        let error = #expect(throws: ConfigurationError.self) {
            _ = try Self.configuration(Self.client, issuer: issuer)
        }
        #expect(error?.message.contains("needs `authorizationEndpoint` and `tokenEndpoint`") == true)
    }

    @Test("If the issuers have mistakes, only these are reported")
    func mistakesOfIssuers() {
        let error = #expect(throws: ConfigurationError.self) {
            _ = try Self.configuration(Self.client, issuer: "preset: keycloack, audience: files")
        }
        #expect(error?.mistakes.count == 1 && error?.message.contains("keycloak") == true)
    }

    @Test(
        "A token that the service would refuse is warned of",
        arguments: [
            ("", "preset: keycloak, audience: files", nil), ("token: id", "preset: keycloak, audience: files", nil),
            ("token: id", "preset: keycloak, audience: [a, b]", "the ID tokens of `page.signIn` have the audience"),
            ("", "preset: keycloak, audience: a", nil),
            ("audience: b", "preset: keycloak, audience: a", "the access tokens of `page.signIn` have the audience"),
            ("audience: b", "preset: keycloak, audience: [a, b]", nil),
            (urls, "preset: cognito, audience: a", "have the audience `files`"),
            (urls, "preset: cognito, audience: files", nil),
            ("", "preset: auth0, audience: a", "has no `audience`"),
            (urls, "preset: entra, audience: a", "add it to `audience` of the issuer"),
            (urls, "preset: entra, audience: files", nil),
            (urls, "preset: cognito, clientIDs: [files]", nil),
            (urls, "preset: cognito, clientIDs: [a]", "add it to `clientIDs` of the issuer"),
            ("", "preset: keycloak, audience: a, authorizedParties: [files]", nil),
            (
                "", "preset: keycloak, audience: a, authorizedParties: [b]",
                "add it to `authorizedParties` of the issuer"
            ),
            ("token: id", "preset: keycloak, authorizedParties: [files]", "add it to `audience` of the issuer"),
        ] as [(String, String, String?)])
    func audiences(setting: String, issuer: String, warning: String?) throws {
        let signIn = setting.isEmpty ? Self.client : "\(Self.client), \(setting)"
        let found = try Self.configuration(signIn, issuer: issuer).warnings.map(\.description)
        #expect(found.count == (warning == nil ? 0 : 1), "\(found)")
        #expect(found.allSatisfy { $0.hasPrefix("c.yaml:4:16: ") && $0.contains(warning ?? "") })
    }

    @Test(
        "A page that browsers reach without TLS has no redirect URI that a provider accepts",
        arguments: [
            ("server: {listen: \"0.0.0.0:8080\"}", true), ("server: {listen: \":8080\"}", true),
            ("server: {listen: [\"127.0.0.1:8080\", \"10.0.0.1:80\"]}", true),
            ("server: {listen: [\"127.0.0.1:8080\", \"[::1]:8080\", \"unix:/run/presign.sock\"]}", false),
            ("server: {listen: \"0.0.0.0:443\", tls: {certificate: c, key: k}}", false), ("", true),
        ])
    func redirectURI(server: String, isWarned: Bool) throws {
        let found = try Self.configuration(Self.client, sections: server).warnings.map(\.description)
        #expect(found.count == (isWarned ? 1 : 0), "\(found)")
        #expect(found.allSatisfy { $0.contains("needs an https page") && $0.contains("`server.tls`") })
    }

    @Test("A proxy in front of the service can have TLS")
    func proxy() throws {
        let configuration = try Self.configuration(Self.client, sections: "server: {listen: \":8080\"}")
        let yaml = "auth: {proxy: {from: [10.0.0.0/8], clientAddress: X-Forwarded-For}, jwt: ["
        #expect(configuration.warnings.count == 1)
        let text = """
            version: 1
            stores: {media: {bucket: acme-media, region: eu-west-1}}
            server: {listen: ":8080"}
            \(yaml){name: users, preset: keycloak, issuer: i, audience: a, jwks: f}]}
            page: {signIn: {\(Self.client)}}
            rules: [{path: a, allow: {authenticated: [get]}}]
            limits: {perCaller: 10/s}
            """
        #expect(try ServiceConfiguration(parsing: Array(text.utf8), file: "c.yaml").warnings.isEmpty)
    }
}
