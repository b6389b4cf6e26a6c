import Requests
import TestSupport
import Testing

@testable import AccessRules
@testable import CallerAuthentication

@Suite("Token claims")
struct TokenClaimTests {
    private typealias Fixture = TokenFixture
    private static let now = Fixture.now

    /// A verifier for one issuer with one key and additional settings.
    private static func verifier(_ more: String = "") throws -> TokenVerifier {
        try Fixture.verifier(
            #"- {name: a, issuer: "https://set.example/", audience: [api, web], algorithms: [RS256]"#
                + ", jwks: single.json\(more)}")
    }

    private static func refusal(
        _ changes: [String: String?], _ more: String = "", header: String = #"{"alg":"RS256"}"#
    ) throws -> TokenRefusal? {
        try verifier(more).refusal(Fixture.token(header: header, changes))
    }

    static let times: [(String, String?, TokenRefusal?)] = [
        ("exp", nil, .noExpiry), ("exp", "null", .badTime), ("exp", "\"1800000600\"", .badTime),
        ("exp", "true", .badTime),
        ("exp", "[1800000600]", .badTime), ("exp", "{}", .badTime), ("exp", "-1", .badTime), ("exp", "1e400", .badTime),
        ("exp", "-1e400", .badTime), ("exp", "9223372036854775808", .badTime), ("exp", "1e18", .badTime),
        ("exp", "1800000600000", .badTime), ("exp", "253402300800", .badTime), ("exp", "253402300799", nil),
        ("exp", "1" + String(repeating: "0", count: 1000), .badTime), ("exp", "0", .expired),
        ("exp", "1e-400", .expired),
        ("exp", "-0", .expired), ("exp", "\(now)", nil), ("exp", "\(now - 29)", nil), ("exp", "\(now - 30)", .expired),
        ("exp", "\(now - 30).5", nil), ("exp", "\(now - 31).999", .expired), ("exp", "1.8e9", nil),
        ("exp", "18000006e2", nil), ("exp", "\(now + 600).25", nil),
        ("nbf", "\(now)", nil), ("nbf", "\(now + 30)", nil), ("nbf", "\(now + 31)", .notYetValid),
        ("nbf", "\(now + 30).1", .notYetValid), ("nbf", "\"0\"", .badTime), ("nbf", "null", .badTime),
        ("nbf", "1e400", .badTime), ("nbf", "-5", .badTime),
        ("iat", nil, nil), ("iat", "\(now + 30)", nil), ("iat", "\(now + 31)", .issuedInFuture),
        ("iat", "\"x\"", .badTime),
        ("iat", "1e400", .badTime), ("iat", "1.7999e9", nil),
    ]

    @Test("Times are checked with a leeway of 30 s", arguments: times)
    func time(name: String, value: String?, refusal: TokenRefusal?) throws {
        #expect(try Self.refusal([name: value]) == refusal, "\(name) \(value ?? "absent")")
    }

    @Test("The leeway is configurable")
    func leeway() throws {
        #expect(try Self.refusal(["exp": "\(Self.now)"], ", leeway: 0s") == .expired)
        #expect(try Self.refusal(["exp": "\(Self.now + 1)"], ", leeway: 0s") == nil)
        #expect(try Self.refusal(["exp": "\(Self.now - 59)"], ", leeway: 60s") == nil)
        #expect(try Self.refusal(["nbf": "\(Self.now + 60)"], ", leeway: 1m") == nil)
    }

    @Test("maxAge limits the age of a token")
    func maximumAge() throws {
        let more = ", maxAge: 10m"
        #expect(try Self.refusal(["iat": "\(Self.now)", "exp": "\(Self.now + 600)"], more) == nil)
        #expect(try Self.refusal(["iat": "\(Self.now)", "exp": "\(Self.now + 601)"], more) == .tooLongLived)
        #expect(try Self.refusal(["iat": nil], more) == .tooLongLived)
    }

    @Test(
        "The audience must be exactly one of those configured",
        arguments: [
            ("\"api\"", nil), ("\"web\"", nil), ("[\"api\"]", nil), ("[\"x\",\"web\"]", nil), (nil, .wrongAudience),
            ("\"\"", .wrongAudience), ("[]", .wrongAudience), ("\"API\"", .wrongAudience), ("\"api \"", .wrongAudience),
            ("\"api,web\"", .wrongAudience), ("[\"api\",1]", .wrongAudience), ("[[\"api\"]]", .wrongAudience),
            ("[\"api\",null]", .wrongAudience), ("{\"api\":true}", .wrongAudience), ("null", .wrongAudience),
            ("[\"x\"]", .wrongAudience), ("1", .wrongAudience), ("\"*\"", .wrongAudience),
        ] as [(String?, TokenRefusal?)])
    func audience(value: String?, refusal: TokenRefusal?) throws {
        #expect(try Self.refusal(["aud": value]) == refusal)
        // A client id counts as an audience only for Cognito.
        #expect(try Self.refusal(["aud": nil, "client_id": "\"api\""]) == .wrongAudience)
    }

    @Test("typ must be the configured value or one of the usual ones")
    func types() throws {
        func refusal(_ type: String?, _ more: String = "") throws -> TokenRefusal? {
            let member = type.map { #","typ":"\#($0)""# } ?? ""
            return try Self.refusal([:], more, header: #"{"alg":"RS256"\#(member)}"#)
        }
        for type in [nil, "JWT", "jwt", "at+jwt", "application/at+jwt", "AT+JWT"] { #expect(try refusal(type) == nil) }
        for type in ["application/at+jwt", "at+jwt", "At+Jwt"] { #expect(try refusal(type, ", typ: at+jwt") == nil) }
        for type in [nil, "JWT", "at+jwt2", "text/at+jwt"] { #expect(try refusal(type, ", typ: at+jwt") == .wrongType) }
        #expect(try refusal("acme+jwt", ", typ: application/acme+jwt") == nil)
    }

    @Test("Cognito access and ID tokens each have their own audience claim")
    func tokenUse() throws {
        let (id, access) = (["token_use": "\"id\""], ["token_use": "\"access\"", "aud": nil, "client_id": "\"web\""])
        for more in [", preset: cognito", ", preset: cognito, tokenUse: id", ", tokenUse: id"] {
            #expect(try Self.refusal(id, more) == nil)
        }
        for more in [", preset: cognito", ", preset: cognito, tokenUse: access", ", tokenUse: access"] {
            #expect(try Self.refusal(access, more) == nil)
        }
        #expect(try Self.refusal(id, ", tokenUse: access") == .wrongTokenUse)
        #expect(try Self.refusal(access, ", preset: cognito, tokenUse: id") == .wrongTokenUse)
        for use in [nil, "\"refresh\"", "\"ID\"", "1", "[\"id\"]"] {
            #expect(try Self.refusal(["token_use": use], ", preset: cognito") == .wrongTokenUse)
        }
        let wrong = ["token_use": "\"access\"", "client_id": "\"x\""]
        #expect(try Self.refusal(wrong, ", preset: cognito") == .wrongAudience)
        let several = ["token_use": "\"access\"", "client_id": "[\"api\"]"]
        #expect(try Self.refusal(several, ", preset: cognito") == .wrongAudience)
    }

    static let identities: [(String?, String?)] = [
        ("\"alice\"", "alice"), ("\"auth0|5f\"", "auth0|5f"), ("\"eu-west-1:1b\"", "eu-west-1:1b"), ("\"*\"", "*"),
        ("\"{identity}\"", "{identity}"), ("\"\\u00e9\"", "é"), ("\"a b\"", "a b"),
        ("\"a/b\"", nil), ("\"/\"", nil), ("\".\"", nil), ("\"..\"", nil), ("\"%2e%2e\"", nil), ("\"%2E\"", nil),
        ("\"a\\\\b\"", nil), ("\"a\\u0000\"", nil), ("\"a\\nb\"", nil),
        ("\"\(String(repeating: "x", count: 1025))\"", nil),
    ]

    @Test("An identity is one safe path segment, or absent", arguments: identities)
    func identity(value: String?, identity: String?) throws {
        let caller = try Self.verifier().caller(Fixture.token(header: #"{"alg":"RS256"}"#, ["sub": value]))
        #expect(caller.identity == identity.map { Array($0.utf8) } && caller.scheme == .jwt && !caller.isGuest)
    }

    @Test(
        "A token without an identity is rejected",
        arguments: [nil, "\"\"", "1", "true", "null", "[\"alice\"]", "{\"a\":\"b\"}"])
    func missingIdentity(value: String?) throws {
        #expect(try Self.refusal(["sub": value]) == .noIdentity)
        let more = ", claims: {identity: [user, id]}"
        let isWhole = value == "1"
        #expect(try Self.refusal(["user": value.map { "{\"id\":\($0)}" }], more) == (isWhole ? nil : .noIdentity))
        #expect(try Self.refusal(["user": "{\"id\":\"u\"}", "sub": value], more) == nil)
        // Expiry is checked last.
        #expect(try Self.refusal(["sub": value, "exp": "1"]) == .noIdentity)
    }

    @Test(
        "Groups are strings, in an array or a single one",
        arguments: [
            ("[\"a\",\"b\"]", ["a", "b"]), ("\"a\"", ["a"]), ("[]", []), ("\"\"", []), (nil, []), ("1", ["1"]),
            ("[\"a\",1,null,[\"b\"],\"\"]", ["a", "1"]), ("{\"a\":true}", []), ("\"a,b\"", ["a,b"]),
            ("\"a b\"", ["a b"]),
        ] as [(String?, [String])])
    func groups(value: String?, groups: [String]) throws {
        let verifier = try Self.verifier(#", claims: {groups: "acme:groups.x"}"#)
        let caller = try verifier.caller(Fixture.token(header: #"{"alg":"RS256"}"#, ["acme:groups.x": value]))
        #expect(caller.groups == groups.map { Array($0.utf8) })
    }

    @Test("Claims are found by literal name or by path")
    func named() throws {
        let verifier = try Self.verifier(
            """
            , claims: {identity: [user, id], groups: [realm_access, roles], tenant: "https://acme.example/tenant", \
            plan: a.b, level: level}
            """)
        let caller = try verifier.caller(
            Fixture.token(
                header: #"{"alg":"RS256"}"#,
                [
                    "user": #"{"id":"u1"}"#, "realm_access": #"{"roles":["r"]}"#,
                    "https://acme.example/tenant": "\"t1\"", "a": #"{"b":"no"}"#, "level": "3", "jti": "\"j1\"",
                ]))
        #expect(caller.identity == Array("u1".utf8) && caller.groups == [Array("r".utf8)])
        #expect(
            caller.claims == [Caller.Claim(name: "tenant", value: "t1"), Caller.Claim(name: "level", value: "3")])
        #expect(caller.token?.tokenID == Array("j1".utf8) && caller.token?.subject == Array("alice".utf8))
        #expect(caller.token?.issuerName == "a" && caller.token?.issuer == Array("https://set.example/".utf8))
        #expect(caller.token?.expiry == Self.now + 600 && caller.label == Array("jwt:a:u1".utf8))
    }

    @Test("A long label is truncated")
    func label() throws {
        let sub = String(repeating: "s", count: 1000)
        let caller = try Self.verifier().caller(Fixture.token(header: #"{"alg":"RS256"}"#, ["sub": "\"\(sub)\""]))
        #expect(caller.label == Array(("jwt:a:" + sub.prefix(128)).utf8))
    }
}
