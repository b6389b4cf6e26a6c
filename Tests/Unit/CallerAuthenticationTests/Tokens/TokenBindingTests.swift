import TestSupport
import Testing

@testable import AccessRules
@testable import CallerAuthentication

@Suite("The audience and the client of a token")
struct TokenBindingTests {
    private typealias Fixture = TokenFixture

    private static func refusal(
        _ settings: String, _ claims: [String: String?], type: String? = nil
    ) throws -> TokenRefusal? {
        let verifier = try Fixture.verifier(
            #"- {name: a, issuer: "https://set.example/", algorithms: [RS256], jwks: single.json, \#(settings)}"#)
        let type = type.map { #","typ":"\#($0)""# } ?? ""
        return verifier.refusal(Fixture.token(header: #"{"alg":"RS256"\#(type)}"#, claims))
    }

    private static let app = #""https://app.example.com""#
    private static let parties = #"authorizedParties: ["https://app.example.com", other]"#

    @Test(
        "The authorized party must be exactly one of those configured",
        arguments: [
            (app, nil), ("\"other\"", nil), (nil, .wrongAuthorizedParty), ("\"\"", .wrongAuthorizedParty),
            ("null", .wrongAuthorizedParty), ("[\"other\"]", .wrongAuthorizedParty),
            ("\"OTHER\"", .wrongAuthorizedParty),
            ("\"other \"", .wrongAuthorizedParty), ("\"https://app.example.com/\"", .wrongAuthorizedParty),
            ("1", .wrongAuthorizedParty), ("{\"other\":true}", .wrongAuthorizedParty), ("\"*\"", .wrongAuthorizedParty),
        ] as [(String?, TokenRefusal?)])
    func party(value: String?, refusal: TokenRefusal?) throws {
        #expect(try Self.refusal(Self.parties, ["aud": nil, "azp": value]) == refusal)
        // The other binding does not replace it.
        #expect(try Self.refusal("audience: api, \(Self.parties)", ["azp": value]) == refusal)
    }

    @Test(
        "With clients alone, a token that has an audience is for another service",
        arguments: [
            ("\"api\"", "`api`"), ("[\"api\",\"web\"]", "`api`, `web`"), ("\"\"", "empty"), ("[]", "an empty list"),
            ("null", "a value that is not a string"), ("[1]", "a value that is not a string"),
            ("\"other\"", "`other`"),
            ("\"\(String(repeating: "x", count: 100))\"", "`\(String(repeating: "x", count: 64))...`"),
        ])
    func otherAudience(value: String, shown: String) throws {
        let refusals = [
            try Self.refusal(Self.parties, ["aud": value, "azp": Self.app]),
            try Self.refusal("clientIDs: [c]", ["aud": value, "client_id": "\"c\""], type: "at+jwt"),
        ]
        for refusal in refusals {
            #expect(refusal?.reason == "the token is for \(shown); configure `audience` too")
        }
    }

    @Test(
        "A client id counts only in access tokens",
        arguments: [
            ("at+jwt", nil, "\"c\"", nil), ("application/at+jwt", nil, "\"c\"", nil), ("AT+JWT", nil, "\"d\"", nil),
            (nil, "\"access\"", "\"c\"", nil), ("JWT", "\"access\"", "\"c\"", nil),
            (nil, nil, "\"c\"", .notAccessToken), ("JWT", nil, "\"c\"", .notAccessToken),
            (nil, "\"id\"", "\"c\"", .notAccessToken), (nil, "\"Access\"", "\"c\"", .notAccessToken),
            (nil, "[\"access\"]", "\"c\"", .notAccessToken), (nil, "true", "\"c\"", .notAccessToken),
            ("at+jwt", nil, nil, .wrongClientID), ("at+jwt", nil, "\"x\"", .wrongClientID),
            ("at+jwt", nil, "[\"c\"]", .wrongClientID), ("at+jwt", nil, "\"\"", .wrongClientID),
            ("at+jwt", nil, "\"C\"", .wrongClientID), (nil, "\"access\"", "null", .wrongClientID),
        ] as [(String?, String?, String?, TokenRefusal?)])
    func client(type: String?, use: String?, value: String?, refusal: TokenRefusal?) throws {
        let claims = ["aud": nil, "token_use": use, "client_id": value]
        #expect(try Self.refusal("clientIDs: [c, d]", claims, type: type) == refusal)
        let both = ["token_use": use, "client_id": value]
        #expect(try Self.refusal("audience: api, clientIDs: [c, d]", both, type: type) == refusal)
    }

    @Test(
        "All configured bindings must match",
        arguments: [
            ("\"api\"", "\"other\"", "\"c\"", nil), ("\"x\"", "\"other\"", "\"c\"", .wrongAudience),
            (nil, "\"other\"", "\"c\"", .wrongAudience), ("\"api\"", "\"c\"", "\"c\"", .wrongAuthorizedParty),
            ("\"api\"", "\"other\"", "\"other\"", .wrongClientID), ("\"c\"", "\"api\"", "\"api\"", .wrongAudience),
        ] as [(String?, String?, String?, TokenRefusal?)])
    func all(audience: String?, party: String?, client: String?, refusal: TokenRefusal?) throws {
        let claims = ["aud": audience, "azp": party, "client_id": client]
        #expect(try Self.refusal("audience: api, \(Self.parties), clientIDs: [c]", claims, type: "at+jwt") == refusal)
    }

    @Test("A preset's audience stays required beside a client, and Cognito's access tokens need no audience")
    func presets() throws {
        let firebase = "preset: firebase, issuer: \"https://securetoken.google.com/p\", \(Self.parties)"
        let verifier = try Fixture.verifier("- {name: f, jwks: single.json, \(firebase)}")
        let claims: [String: String?] = ["iss": "\"https://securetoken.google.com/p\"", "azp": Self.app]
        for (audience, refusal) in [("\"p\"", nil), (nil, .wrongAudience)] as [(String?, TokenRefusal?)] {
            var claims = claims
            claims["aud"] = .some(audience)
            let token = Fixture.token(header: #"{"alg":"RS256"}"#, claims)
            #expect(verifier.refusal(token) == refusal)
        }
        let access = ["aud": nil, "token_use": "\"access\"", "client_id": "\"c\""]
        #expect(try Self.refusal("preset: cognito, clientIDs: [c]", access) == nil)
        #expect(try Self.refusal("preset: cognito, clientIDs: [d]", access) == .wrongClientID)
        #expect(try Self.refusal("preset: cognito, audience: c, clientIDs: [c]", access) == nil)
        #expect(try Self.refusal("preset: cognito, audience: d, clientIDs: [c]", access) == .wrongAudience)
    }
}
