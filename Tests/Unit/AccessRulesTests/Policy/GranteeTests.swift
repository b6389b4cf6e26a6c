import Presigning
import Requests
import Testing

@testable import AccessRules
@testable import AccessRulesTestSupport

@Suite("Grantees and captures")
struct GranteeTests {
    private static let yaml = """
        rules:
          - {path: "own/{identity}/**", allow: {owner: [get]}}
          - {path: "team/{group}/**", allow: {owner: [get], "{group}": [write]}}
          - {path: "two/{claim.tenant}/{identity}/*", allow: {owner: [get], "{claim.tenant}": [list], "{identity}": [write]}}
          - {path: "any/**", allow: {everyone: [get], guest: [list], authenticated: [write], "group:g": [delete], "caller:k": [multipart]}}
        """

    private static let eve = PolicyFixture.user(
        "eve", groups: ["g", "blue"], claims: [.init(name: "tenant", value: "acme")])

    @Test(
        "Captured text is compared byte by byte",
        arguments: [
            ("eve", "own/eve/f", "allowed"), ("eve", "own/Eve/f", "no-grant"), ("ev", "own/eve/f", "no-grant"),
            ("eve", "own/ev/f", "no-grant"), ("\u{e9}", "own/e\u{301}/f", "no-grant"),
            ("e\u{301}", "own/e\u{301}/f", "allowed"), ("\u{301}e", "own/\u{301}e/f", "allowed"),
            ("*", "own/eve/f", "no-grant"), ("*", "own/*/f", "allowed"), ("**", "own/a/b/f", "no-grant"),
            ("{identity}", "own/eve/f", "no-grant"), ("a/b", "own/a/b/f", "no-grant"), ("", "own/x/f", "no-grant"),
            ("eu-west-1:0e1f", "own/eu-west-1:0e1f/f", "allowed"), ("a|b", "own/a|b/f", "allowed"),
            ("eve", "own/eve", "no-rule"), ("eve", "own/eve/../x", "path"),
        ])
    func captures(identity: String, path: String, code: String) throws {
        let policy = try PolicyFixture.compile(Self.yaml).policy
        #expect(policy.decision(for: PolicyFixture.request(path, as: PolicyFixture.user(identity))).code == code)
    }

    @Test(
        "Each placeholder matches its own claim",
        arguments: [
            ("team/blue/f", .get, 200), ("team/blue/f", .write, 200), ("team/red/f", .get, 403),
            ("two/acme/eve/f", .get, 200), ("two/acme/bob/f", .get, 403), ("two/acme/bob/f", .list, 200),
            ("two/evil/eve/f", .get, 403), ("two/evil/eve/f", .write, 200), ("two/evil/eve/f", .list, 403),
            ("any/f", .get, 200), ("any/f", .list, 403), ("any/f", .write, 200), ("any/f", .delete, 200),
            ("any/f", .multipart, 403),
        ] as [(String, AccessAction, Int)])
    func kinds(path: String, action: AccessAction, status: Int) throws {
        let policy = try PolicyFixture.compile(Self.yaml).policy
        #expect(policy.decision(for: PolicyFixture.request(path, action, as: Self.eve)).status == status)
    }

    @Test("A caller without the claim owns nothing", arguments: ["own/x/f", "team/x/f", "two/x/y/f"])
    func missing(path: String) throws {
        let policy = try PolicyFixture.compile(Self.yaml).policy
        let caller = PolicyFixture.user(nil, groups: [""], claims: [.init(name: "tenant", value: "")])
        #expect(policy.decision(for: PolicyFixture.request(path, as: caller)).status == 403)
        #expect(policy.decision(for: PolicyFixture.request(path)).status == 401)
    }

    @Test func anonymousTokensAreGuestsDespiteTheirClaims() throws {
        let policy = try PolicyFixture.compile(Self.yaml).policy
        let anonymous = Caller(scheme: .jwt, identity: "eve", groups: ["g"], isGuest: true)
        #expect(policy.decision(for: PolicyFixture.request("own/eve/f", as: anonymous)).status == 401)
        #expect(policy.decision(for: PolicyFixture.request("any/f", .delete, as: anonymous)).status == 401)
        #expect(policy.decision(for: PolicyFixture.request("any/f", .list, as: anonymous)).status == 200)
    }

    @Test("A caller with many groups is in each of them and in no other")
    func manyGroups() {
        let groups = (0..<1000).map { "g\($0 * 7919 % 1000)" } + ["", "g", "z", "\u{E9}", "g1", "g1", "g999 "]
        let caller = PolicyFixture.user("alice", groups: groups)
        #expect(groups.allSatisfy { caller.isMember(of: $0.utf8.span) })
        let others = ["h", "g1000", "G1", " g1", "g01", "g999  ", "\u{65}\u{301}", "\u{0}", "zz"]
        #expect(others.allSatisfy { !caller.isMember(of: $0.utf8.span) })
        let isMemberOfNone = PolicyFixture.user("alice").isMember(of: "alice".utf8.span)
        #expect(!isMemberOfNone)
    }

    @Test func keysMatchOnlyByID() throws {
        let policy = try PolicyFixture.compile(Self.yaml).policy
        let key = Caller(apiKeyID: "k", identity: nil)
        #expect(policy.decision(for: PolicyFixture.request("any/f", .multipart, as: key)).status == 200)
        let impostor = PolicyFixture.user("k", groups: ["k"])
        #expect(policy.decision(for: PolicyFixture.request("any/f", .multipart, as: impostor)).status == 403)
    }

    @Test func groupsMayBeExclusiveAsInAmplify() throws {
        let policy = try PolicyFixture.compile(Self.yaml + "\ngroups: exclusive").policy
        let alice = PolicyFixture.user("alice")
        #expect(policy.decision(for: PolicyFixture.request("own/alice/f", as: alice)).status == 200)
        #expect(policy.decision(for: PolicyFixture.request("own/eve/f", as: Self.eve)).status == 403)
        #expect(policy.decision(for: PolicyFixture.request("any/f", .write, as: Self.eve)).status == 403)
        #expect(policy.decision(for: PolicyFixture.request("any/f", .delete, as: Self.eve)).status == 200)
        #expect(policy.decision(for: PolicyFixture.request("team/blue/f", as: Self.eve)).status == 200)
    }

    @Test func presets() throws {
        let policy = try PolicyFixture.compile("presets: [{amplify: {guest: [read]}}]").policy
        let alice = PolicyFixture.user("alice")
        let expected: [(String, AccessAction, Caller, Int)] = [
            ("public/f", .get, .guest, 200), ("public/f", .write, .guest, 401), ("public/f", .delete, alice, 200),
            ("protected/bob/f", .get, .guest, 200), ("protected/bob/f", .write, alice, 403),
            ("protected/alice/f", .write, alice, 200), ("private/alice/f", .list, alice, 200),
            ("private/bob/f", .get, alice, 403), ("private/alice/f", .multipart, alice, 403),
        ]
        for (path, action, caller, status) in expected {
            #expect(policy.decision(for: PolicyFixture.request(path, action, as: caller)).status == status, "\(path)")
        }
        let bare = try PolicyFixture.compile("presets: [amplify]").policy
        #expect(bare.decision(for: PolicyFixture.request("public/f")).status == 401)
    }

    @Test("A rule names the holder of a certificate; the same name under another scheme does not match")
    func certificates() throws {
        let yaml = """
            rules:
              - {path: "a/**", allow: {"certificate:spiffe://example.org/web": [get]}}
              - {path: "own/{identity}/**", allow: {owner: [get]}}
            """
        let policy = try PolicyFixture.compile(yaml).policy
        let name = "spiffe://example.org/web"
        let callers: [(Caller, String, String)] = [
            (Caller(certificate: Array(name.utf8)), "a/x", "allowed"),
            (Caller(certificate: Array((name + "2").utf8)), "a/x", "no-grant"),
            (Caller(scheme: .jwt, identity: name), "a/x", "no-grant"),
            (Caller(scheme: .proxy, identity: name), "a/x", "no-grant"),
            (Caller(apiKeyID: name, identity: name), "a/x", "no-grant"), (.guest, "a/x", "no-grant"),
            (Caller(certificate: Array("web.example.org".utf8)), "own/web.example.org/x", "allowed"),
            (Caller(certificate: Array(name.utf8)), "own/spiffe:/x", "no-grant"),
        ]
        for (caller, path, code) in callers {
            #expect(policy.decision(for: PolicyFixture.request(path, as: caller)).code == code, "\(path)")
        }
    }
}
