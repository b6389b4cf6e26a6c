import Requests
import TestSupport
import Testing

@testable import AccessRules
@testable import CallerAuthentication

@Suite("Values of claims")
struct ClaimValueTests {
    private typealias Fixture = TokenFixture

    private static func caller(_ settings: String, _ claims: [String: String?]) throws -> Caller {
        let verifier = try Fixture.verifier(
            #"- {name: a, issuer: "https://set.example/", audience: api, algorithms: [RS256], jwks: single.json, "#
                + settings + "}")
        return try verifier.caller(Fixture.token(header: #"{"alg":"RS256"}"#, claims))
    }

    private static func strings(_ texts: [[UInt8]]) -> [String] { texts.map { String(decoding: $0, as: UTF8.self) } }

    /// The claim, the separator, its value, the groups, and a part of the note about what is ignored.
    static let groupValues: [(String, String?, String, [String], String?)] = [
        ("scope", nil, #""openid files:read files:write""#, ["openid", "files:read", "files:write"], nil),
        ("scp", nil, #""files:read files:write""#, ["files:read", "files:write"], nil),
        ("scope", nil, #""  a   b ""#, ["a", "b"], nil), ("scope", nil, #""a""#, ["a"], nil),
        ("scope", nil, #"" ""#, [], "is empty"), ("scope", nil, #""""#, [], "is empty"),
        ("scope", nil, #""a,b""#, ["a,b"], nil), ("scope", nil, #""a\u00a0b""#, ["a\u{a0}b"], nil),
        // The elements of an array are separate already.
        ("scp", nil, #"["a b","c"]"#, ["a b", "c"], nil), ("groups", ",", #"["a,b"]"#, ["a,b"], nil),
        ("scope", ",", #""a,b c""#, ["a", "b", "c"], nil), ("scopes", nil, #""a b""#, ["a b"], nil),
        ("groups", ",", #""a, b,,c,""#, ["a", "b", "c"], nil), ("groups", ";", #""a,b;c""#, ["a,b", "c"], nil),
        ("groups", ",", #"",,, ,""#, [], "is empty"), ("groups", "|", #""Site Admins|b""#, ["Site Admins", "b"], nil),
        ("groups", ",", "[1,2]", ["1", "2"], nil), ("groups", ",", "12", ["12"], nil),
        ("groups", nil, "42", ["42"], nil), ("groups", nil, "[7,0,-5]", ["7", "0", "-5"], nil),
        ("groups", nil, "999999999999999", ["999999999999999"], nil),
        ("groups", nil, "-999999999999999", ["-999999999999999"], nil),
        ("groups", nil, "[1000000000000000,\"a\"]", ["a"], "more than 15 digits"),
        ("groups", nil, "[1.0,1.5,1e2,1E0,-0,-0.0]", [], "a fraction, an exponent or more"),
        ("groups", nil, "[true,false]", ["true", "false"], nil), ("groups", nil, "true", ["true"], nil),
        ("groups", nil, #"[null,"a"]"#, ["a"], "is null"), ("groups", nil, "null", [], "is null"),
        ("groups", nil, #"[["a"],{"b":1},"c"]"#, ["c"], "an object or an array"),
        ("groups", nil, #"{"admin":true}"#, [], "an object or an array"),
        ("groups", nil, #"["","a"]"#, ["a"], "is empty"),
        ("groups", nil, #""org/repo""#, ["org/repo"], nil),
    ]

    @Test("Groups are split where a scope or the separator says so", arguments: groupValues)
    func groups(claim: String, separator: String?, value: String, groups: [String], note: String?) throws {
        let separator = separator.map { ", separator: \"\($0)\"" } ?? ""
        let caller = try Self.caller("claims: {groups: \(claim)}\(separator)", [claim: value])
        #expect(Self.strings(caller.groups) == groups)
        #expect(caller.ignored.count == (note == nil ? 0 : 1), "\(caller.ignored)")
        #expect(caller.ignored.allSatisfy { $0.hasPrefix("`groups` ") && $0.contains(note ?? "") })
        #expect(groups.allSatisfy { caller.isMember(of: Array($0.utf8).span) })
    }

    @Test("The first 1000 groups count, and the log says that there are more", arguments: [true, false])
    func manyGroups(isScope: Bool) throws {
        let names = (0..<1001).map { "g\($0)" }
        for count in [1000, 1001] {
            let some = names.prefix(count)
            let value = isScope ? "\"\(some.joined(separator: " "))\"" : "[\"\(some.joined(separator: "\",\""))\"]"
            let caller = try Self.caller("claims: {groups: scope}", ["scope": value])
            #expect(Self.strings(caller.groups) == names.prefix(1000).map(\.self))
            #expect(
                caller.ignored
                    == (count == 1000 ? [] : ["`groups` has more than 1000 groups, of which the first 1000 count"]))
        }
    }

    @Test(
        "An identity is never split; it is a string or, except in sub, a whole number",
        arguments: [
            ("name", #""a b""#, "a b"), ("scope", #""a b""#, "a b"), ("name", #""a,b""#, "a,b"), ("name", "42", "42"),
            ("name", "-7", "-7"), ("name", "999999999999999", "999999999999999"), ("sub", #""42""#, "42"),
            ("sub", "42", nil), ("name", "1000000000000000", nil), ("name", "42.0", nil), ("name", "4e1", nil),
            ("name", "-0", nil), ("name", "true", nil), ("name", "false", nil), ("name", "null", nil),
            ("name", #"["a"]"#, nil), ("name", "[42]", nil), ("name", #"{"id":"a"}"#, nil), ("name", #""""#, nil),
        ] as [(String, String, String?)])
    func identities(claim: String, value: String, identity: String?) throws {
        let settings = "claims: {identity: \(claim)}, separator: \",\""
        do {
            #expect(try Self.caller(settings, [claim: value]).identity == identity.map { Array($0.utf8) })
        } catch {
            #expect(identity == nil && error as? TokenRefusal == .noIdentity)
        }
    }

    @Test(
        "Other claims are texts, whole numbers, or true and false, and never split",
        arguments: [
            (#""a b""#, "a b"), (#""a,b""#, "a,b"), ("7", "7"), ("true", "true"), ("false", "false"), ("7.0", nil),
            ("1e1", nil), ("12345678901234567", nil), ("null", nil), (#"["a"]"#, nil), ("{}", nil), (#""""#, nil),
        ] as [(String, String?)])
    func others(value: String, text: String?) throws {
        let caller = try Self.caller("claims: {level: scope}, separator: \",\"", ["scope": value])
        #expect(caller.claims == (text.map { [Caller.Claim(name: "level", value: $0)] } ?? []))
        #expect(caller.ignored.count == (text == nil ? 1 : 0) && caller.ignored.allSatisfy { $0.hasPrefix("`level` ") })
    }

    @Test("An identity that is not a path segment is noted")
    func unsafeIdentity() throws {
        let caller = try Self.caller("maxAge: 1h", ["sub": #""a/b""#])
        #expect(caller.identity == nil && caller.ignored == ["`identity` is not a valid path segment"])
    }

    @Test("The repository of a GitHub Actions token is a group with its slash; its subject is not a valid path segment")
    func gitHubActions() throws {
        let caller = try Self.caller(
            "claims: {identity: sub, groups: repository, owner: repository_owner, ref: ref}",
            [
                "sub": #""repo:acme/site:ref:refs/heads/main""#, "repository": #""acme/site""#,
                "repository_owner": #""acme""#, "repository_id": #""74""#, "ref": #""refs/heads/main""#,
            ])
        #expect(caller.groups == [Array("acme/site".utf8)] && caller.isMember(of: Array("acme/site".utf8).span))
        #expect(!caller.isMember(of: Array("acme".utf8).span) && !caller.isMember(of: Array("site".utf8).span))
        #expect(caller.identity == nil && caller.token?.subject == Array("repo:acme/site:ref:refs/heads/main".utf8))
        #expect(caller.label == Array("jwt:a:repo:acme/site:ref:refs/heads/main".utf8))
        #expect(caller.claims.map { String(decoding: $0.value, as: UTF8.self) } == ["acme", "refs/heads/main"])
    }
}
