import Presigning
import Requests
import Testing

@testable import AccessRules
@testable import AccessRulesTestSupport
@testable import DataFormats

@Suite("Listings")
struct ListingTests {
    private static let rules = """
        rules:
          - {path: "public/**", allow: {everyone: [read]}}
          - {path: "public/hidden/**", allow: {"group:staff": [read]}}
          - {path: "users/{identity}/**", allow: {owner: [read, write]}}
          - {path: "users/{identity}/keys/*", allow: {owner: [get]}}
          - {path: "teams/{group}/**", allow: {"{group}": [list], "group:staff": [list]}}
          - {path: "own/{identity}", allow: {owner: [list], "group:staff": [list]}}
          - {path: "own/{identity}/**", allow: {owner: [list], "group:staff": [list]}}
          - {path: "flat/*", allow: {everyone: [list]}}
          - {path: "levels/*", allow: {everyone: [list]}}
          - {path: "levels/*/**", allow: {everyone: [list]}}
          - {path: "short/**", allow: {everyone: [list]}, expires: {default: 60s, max: 120s}}
          - {path: "short/shorter/**", allow: {everyone: [list]}, expires: {default: 90s, max: 90s}}
          - {path: "open/**", allow: {everyone: [list]}}
          - {path: "open/*/x", allow: {"group:staff": [list]}}
          - {path: "all/**", store: archive, allow: {everyone: [list]}}
        deny:
          - {path: "**/.git/**"}
          - {path: "open/secret-*", actions: [get]}
          - {path: "public/b/**/*.tmp", actions: [list]}
        """

    private static let alice = PolicyFixture.user("alice", groups: ["red"])
    private static let staff = PolicyFixture.user("sam", groups: ["staff"])

    private static func policy(_ yaml: String, listing: Set<String> = ["media"]) throws -> AccessPolicy {
        try PolicyFixture.compile(yaml, listing: listing).policy
    }

    private static func withoutGit() throws -> AccessPolicy {
        try policy(rules.replacing("  - {path: \"**/.git/**\"}\n", with: ""))
    }

    @Test(
        "A listing needs `list` for every key below the prefix; a refusal names the rule in the way",
        arguments: [
            (alice, "public/", "deny:public/b/**/*.tmp", nil),
            (alice, "public/a/", "allowed", "public/**"), (alice, "public/a/b/", "allowed", "public/**"),
            (alice, "public/hidden/", "no-grant", "public/hidden/**"), (staff, "public/hidden/", "allowed", nil),
            (alice, "public/b/", "deny:public/b/**/*.tmp", "public/b/**/*.tmp"),
            (alice, "public/b/c/d/", "deny:public/b/**/*.tmp", nil),
            (alice, "users/", "no-rule", nil),
            (alice, "users/alice/", "no-grant", "users/{identity}/keys/*"),
            (alice, "users/alice/docs/", "allowed", "users/{identity}/**"),
            (alice, "users/bob/docs/", "no-grant", "users/{identity}/**"),
            (alice, "users/alice/keys/", "no-grant", "users/{identity}/keys/*"),
            (alice, "users/alice/keys/a/", "allowed", "users/{identity}/**"),
            (alice, "teams/", "no-rule", nil), (alice, "own/", "no-grant", "own/{identity}"),
            (staff, "own/", "allowed", "own/{identity}"), (alice, "own/alice/", "allowed", "own/{identity}/**"),
            (alice, "teams/red/", "allowed", nil), (alice, "teams/blue/", "no-grant", "teams/{group}/**"),
            (alice, "flat/", "no-rule", nil), (alice, "levels/", "allowed", "levels/*"),
            (alice, "open/", "no-grant", "open/*/x"), (staff, "open/", "allowed", "open/**"),
            (alice, "open/y/z/", "allowed", "open/**"), (alice, "nowhere/", "no-rule", nil),
            (alice, "", "deny:public/b/**/*.tmp", nil),
        ] as [(Caller, String, String, String?)])
    func everyKey(caller: Caller, prefix: String, code: String, rule: String?) throws {
        let decision = try Self.withoutGit().decision(for: PolicyFixture.request(prefix, .list, as: caller))
        #expect(decision.code == code)
        if let rule { #expect(decision.rule?.pattern == rule) }
    }

    @Test("A denial in any folder refuses every listing in its stores")
    func deepDenial() throws {
        let policy = try Self.policy(Self.rules)
        for prefix in ["public/a/", "public/a/.git/", "levels/"] {
            let decision = policy.decision(for: PolicyFixture.request(prefix, .list, as: Self.alice))
            #expect(decision.code == "deny:**/.git/**")
        }
    }

    @Test("A store lists only if it says so, whatever the rules grant")
    func listingOff() throws {
        let policy = try Self.withoutGit()
        #expect(policy.decision(for: PolicyFixture.request("all/", .list, store: "archive")).code == "listing-off")
        let off = try Self.policy(Self.rules, listing: [])
        #expect(off.decision(for: PolicyFixture.request("public/a/", .list)).code == "listing-off")
    }

    @Test("The strictest limits of all rules below the prefix apply")
    func limits() throws {
        let policy = try Self.withoutGit()
        var request = PolicyFixture.request("short/", .list)
        for (requested, status, expiresIn) in [(nil, 200, 60), (90, 200, 90), (91, 422, 0), (0, 400, 0)]
            as [(Int64?, Int, Int64)]
        {
            request.expiresIn = requested
            let decision = policy.decision(for: request)
            #expect(decision.status == status)
            guard case .allowed(let allowance) = decision else { continue }
            #expect(allowance.expiresIn == expiresIn)
            #expect(allowance.constraints.maximumExpiry == 90)
        }
    }

    @Test(
        "An invalid prefix is refused",
        arguments: ["/", "a//", "../", "a/%2e%2e/", "a\\b/", "\u{7}/", String(repeating: "x", count: 1024) + "/"])
    func invalid(prefix: String) throws {
        #expect(try Self.withoutGit().decision(for: PolicyFixture.request(prefix, .list)).code == "path")
    }

    @Test("A caller whose own value is the free segment of the decision gains nothing")
    func starredCaller() throws {
        let policy = try Self.withoutGit()
        for name in ["*", "**", "***"] {
            let caller = PolicyFixture.user(name, groups: ["*", name])
            #expect(policy.decision(for: PolicyFixture.request("own/", .list, as: caller)).code == "no-grant")
            #expect(policy.decision(for: PolicyFixture.request("users/*/", .list, as: caller)).code == "no-grant")
        }
    }

    @Test("Long paths of rules are one step of the search for the rules below a prefix, and find the same ones")
    func runs() throws {
        let long = String(repeating: "s/", count: 511) + "s"
        let paths = [
            long, "a/b/c/d/e/**", "a/b/c/x/y/z", "a/b/c", "a/{identity}/c/d/e/f", "q/r/s/t/u/v", "q/r/s/**", "q/*",
            "m/n/*/o/p/q", "m/n/**",
        ]
        var trie = RuleTrie(stores: 1)
        for (index, path) in paths.enumerated() {
            #expect(trie.insert(index, at: try PathTemplate(parsing: path).segments, in: 0) == nil)
        }
        func deciders(below prefix: String) -> [String] {
            trie.deciders(below: Array(prefix.utf8), in: 0).map { "\($0.rule ?? -1) \($0.length)" }
        }
        let prefixes = ["", "s/", "a/", "a/b/", "a/x/c/", "q/", "q/r/s/t/", "m/", "m/n/o/", "z/"]
        let expected = prefixes.map(deciders)
        trie.linkRuns()
        #expect(trie.nodes.compactMap(\.run?.length).max() == 511)
        #expect(prefixes.map(deciders) == expected)
    }

    @Test("The summary names rules and grantees that listing opens")
    func summary() throws {
        let policy = try PolicyFixture.compile(
            """
            rules:
              - {path: "a/**", allow: {everyone: [read], "group:x": [list], guest: [write]}}
              - {path: "b/**", allow: {everyone: [get]}}
              - {path: "c/**", store: archive, allow: {everyone: [list]}}
            """, listing: ["media"]
        ).policy
        #expect(
            policy.listingSummary
                == ["listing of store media: a/** (p.yaml:2:12) grants `list` to everyone, group:x"])
        let none = try PolicyFixture.compile("rules: [{path: a, allow: {everyone: [get]}}]", listing: ["archive"])
            .policy
        #expect(none.listingSummary == ["listing of store archive: no rule grants `list`"])
    }
}
