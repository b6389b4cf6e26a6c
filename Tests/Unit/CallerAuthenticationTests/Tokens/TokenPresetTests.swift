import AccessRules
import CallerAuthentication
import Requests
import TestSupport
import Testing

@Suite("Presets for identity providers")
struct TokenPresetTests {
    private typealias Fixture = TokenFixture

    /// A preset, its settings, additional claims, and the expected result.
    struct Case: Sendable, CustomTestStringConvertible {
        let preset: String
        let settings: String
        var algorithm = "RS256"
        let claims: [String: String?]
        var identity: String? = "alice"
        var groups: [String] = []
        var isGuest = false
        var testDescription: String { "\(preset) \(claims)" }
    }

    static let cases: [Case] = [
        Case(
            preset: "cognito", settings: #"issuer: "https://cognito-idp.eu-west-1.amazonaws.com/p", audience: c"#,
            claims: [
                "iss": #""https://cognito-idp.eu-west-1.amazonaws.com/p""#, "aud": nil, "client_id": "\"c\"",
                "token_use": "\"access\"", "cognito:groups": "[\"editors\"]",
            ], groups: ["editors"]),
        Case(
            preset: "cognito-identity", settings: "audience: pool", algorithm: "RS512",
            claims: [
                "iss": #""https://cognito-identity.amazonaws.com""#, "aud": "\"pool\"", "sub": "\"eu-west-1:u\"",
                "amr": #"["authenticated","cognito-idp"]"#,
            ], identity: "eu-west-1:u"),
        Case(
            preset: "cognito-identity", settings: "audience: pool", algorithm: "RS512",
            claims: [
                "iss": #""https://cognito-identity.amazonaws.com""#, "aud": "\"pool\"", "amr": #"["unauthenticated"]"#,
            ], isGuest: true),
        Case(
            preset: "auth0", settings: #"issuer: "https://t.auth0.com/", audience: api"#,
            claims: [
                "iss": #""https://t.auth0.com/""#, "aud": #"["api","https://t.auth0.com/userinfo"]"#,
                "sub": "\"auth0|1\"", "permissions": #"["read:files"]"#,
            ], identity: "auth0|1", groups: ["read:files"]),
        Case(
            preset: "firebase", settings: #"issuer: "https://securetoken.google.com/proj""#,
            claims: [
                "iss": #""https://securetoken.google.com/proj""#, "aud": "\"proj\"",
                "firebase": #"{"sign_in_provider":"password"}"#,
            ]),
        Case(
            preset: "firebase", settings: #"issuer: "https://securetoken.google.com/proj""#,
            claims: [
                "iss": #""https://securetoken.google.com/proj""#, "aud": "\"proj\"",
                "firebase": #"{"sign_in_provider":"anonymous"}"#,
            ], isGuest: true),
        Case(
            preset: "supabase", settings: #"issuer: "https://r.supabase.co/auth/v1""#,
            claims: [
                "iss": #""https://r.supabase.co/auth/v1""#, "aud": "\"authenticated\"", "role": "\"authenticated\"",
                "is_anonymous": "false", "user_metadata": #"{"role":"admin"}"#,
            ], groups: ["authenticated"]),
        Case(
            preset: "supabase", settings: #"issuer: "https://r.supabase.co/auth/v1""#,
            claims: [
                "iss": #""https://r.supabase.co/auth/v1""#, "aud": "\"authenticated\"", "is_anonymous": "true",
            ], isGuest: true),
        Case(
            preset: "supabase", settings: #"issuer: supabase, audience: authenticated"#,
            claims: ["iss": "\"supabase\"", "aud": "\"authenticated\"", "role": "\"anon\"", "sub": nil],
            identity: nil, groups: ["anon"], isGuest: true),
        Case(
            preset: "keycloak", settings: #"issuer: "https://h/realms/r", audience: account"#,
            claims: [
                "iss": #""https://h/realms/r""#, "aud": "\"account\"", "realm_access": #"{"roles":["a","b"]}"#,
            ], groups: ["a", "b"]),
        Case(
            preset: "entra", settings: #"issuer: "https://login.microsoftonline.com/t/v2.0", audience: cid"#,
            claims: [
                "iss": #""https://login.microsoftonline.com/t/v2.0""#, "aud": "\"cid\"", "oid": "\"o1\"",
                "roles": "[\"admin\"]",
            ], identity: "o1", groups: ["admin"]),
    ]

    @Test("A preset reads the claims of its provider's tokens", arguments: cases)
    func preset(_ test: Case) throws {
        let verifier = try Fixture.verifier("- {name: i, preset: \(test.preset), \(test.settings), jwks: single.json}")
        let token = Fixture.token(test.algorithm, header: #"{"alg":"\#(test.algorithm)"}"#, test.claims)
        let caller = try verifier.caller(token)
        #expect(caller.identity == test.identity.map { Array($0.utf8) })
        #expect(caller.groups == test.groups.map { Array($0.utf8) })
        #expect(caller.isGuest == test.isGuest)
        let wrong = test.algorithm == "RS512" ? "RS256" : "RS512"
        let refused = Fixture.token(wrong, header: #"{"alg":"\#(wrong)"}"#, test.claims)
        #expect(verifier.refusal(refused) == .algorithmNotAllowed)
    }

    @Test("The presets of proxies read their own header and algorithm, and the provider's subject")
    func proxies() throws {
        let cases: [(String, String, String, [String: String?], SigningKey, String)] = [
            (
                "cloudflare-access", "tenant: acme, audience: 32eafc7626e737d8", "cf-access-jwt-assertion",
                [
                    "iss": #""https://acme.cloudflareaccess.com""#, "aud": #"["32eafc7626e737d8"]"#, "type": "\"app\"",
                    "sub": "\"7335d417-61da-459d-899c-0a01c76a2f94\"", "email": "\"alice@example.com\"",
                ], Fixture.rsa, "7335d417-61da-459d-899c-0a01c76a2f94"
            ),
            (
                "google-iap", "audience: /projects/1/global/backendServices/2", "x-goog-iap-jwt-assertion",
                [
                    "iss": #""https://cloud.google.com/iap""#, "aud": #""/projects/1/global/backendServices/2""#,
                    "sub": "\"accounts.google.com:1234\"", "email": "\"alice@example.com\"",
                ], Fixture.p256, "accounts.google.com:1234"
            ),
        ]
        let files = ["keys.json": Fixture.set([Fixture.rsa.jwk(), Fixture.p256.jwk()])]
        for (preset, settings, header, claims, key, identity) in cases {
            let yaml = "- {name: i, preset: \(preset), \(settings), jwks: keys.json}"
            let verifier = try Fixture.verifier(yaml, files: files)
            let algorithm = key === Fixture.rsa ? "RS256" : "ES256"
            let token = Fixture.token(algorithm, header: #"{"alg":"\#(algorithm)"}"#, claims, by: .key(key))
            let caller = try verifier.caller(token, in: header)
            #expect(caller.identity == Array(identity.utf8) && caller.groups.isEmpty && !caller.isGuest)
            #expect(verifier.refusal(token) == .wrongHeader(expected: Array(header.utf8)))
        }
    }

    @Test(
        "Keycloak tokens of other types are rejected",
        arguments: [
            (nil, true), ("\"Bearer\"", true), ("\"ID\"", true), ("\"Logout\"", false), ("\"Refresh\"", false),
            ("\"bearer\"", false), ("1", false), ("null", false),
        ] as [(String?, Bool)])
    func keycloak(type: String?, isTaken: Bool) throws {
        let verifier = try Fixture.verifier(
            "- {name: i, preset: keycloak, issuer: i, audience: account, jwks: single.json}")
        let token = Fixture.token(
            header: #"{"alg":"RS256"}"#, ["iss": "\"i\"", "aud": "\"account\"", "typ": type])
        #expect(verifier.refusal(token) == (isTaken ? nil : .wrongType))
    }

    @Test("A provider's claim for anonymous users has no meaning in another provider's tokens")
    func marks() throws {
        let verifier = try Fixture.verifier()
        let marks: [String: String?] = [
            "amr": #"["unauthenticated"]"#, "is_anonymous": "true", "firebase": #"{"sign_in_provider":"anonymous"}"#,
        ]
        #expect(try !verifier.caller(Fixture.token(marks)).isGuest)
    }

    @Test("Explicit settings override the preset")
    func overridden() throws {
        let verifier = try Fixture.verifier(
            """
            - {name: i, preset: cognito-identity, issuer: china, audience: pool, algorithms: [RS256], jwks: single.json, \
            claims: {identity: email}}
            """)
        let claims = ["iss": "\"china\"", "aud": "\"pool\"", "email": "\"a@b.example\""]
        let caller = try verifier.caller(Fixture.token(header: #"{"alg":"RS256"}"#, claims))
        #expect(caller.identity == Array("a@b.example".utf8))
    }

    @Test("Supabase projects with a legacy JWT secret are supported")
    func legacy() throws {
        let verifier = try Fixture.verifier(
            "- {name: i, preset: supabase, issuer: backend, secretFile: secret}")
        let token = Fixture.token(
            "HS256", ["iss": "\"backend\"", "aud": "\"authenticated\""], by: .secret(Array(Fixture.secret.utf8)))
        #expect(verifier.refusal(token) == nil)
    }
}
