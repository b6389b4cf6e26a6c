import TestSupport
import Testing

@testable import AccessRules
@testable import AccessRulesTestSupport

@Suite("Where a caller can start")
struct RootTests {
    private static let rules = """
        rules:
          - {path: inbox/**, allow: {everyone: [write]}}
          - {path: "home/{identity}/**", allow: {owner: [read, write]}}
          - {path: "home/{identity}/public/**", allow: {owner: [list, write, delete]}}
          - {path: "teams/{group}/files/**", allow: {"{group}": [read], group:lead: [multipart]}}
          - {path: "by-claim/{claim.team}/*", allow: {owner: [write]}}
          - {path: staff/**, allow: {group:staff: [list]}}
          - {path: "staff/locked/**", allow: {group:staff: [get]}}
          - {path: "reports/*/drafts/**", allow: {authenticated: [list, write]}}
          - {path: "notes/{identity}", allow: {owner: [write]}}
          - {path: press/**, allow: {everyone: [list]}}
          - {path: drop/secret/**, allow: {everyone: [write]}}
        """

    private static func roots(
        _ yaml: String = rules, of caller: Caller, store: String? = nil, listing: Set<String> = ["media"]
    ) throws -> [String] {
        try PolicyFixture.compile(yaml, listing: listing).policy.roots(of: caller, in: store)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("They are the folders that the caller may list or upload to, with its own values for placeholders")
    func ownValues() throws {
        let alice = PolicyFixture.user(
            "alice", groups: ["red", "blue"], claims: [Caller.Claim(name: "team", value: "t1")])
        #expect(
            try Self.roots(of: alice) == [
                "inbox/", "press/", "home/alice/", "by-claim/t1/", "drop/secret/", "teams/red/files/",
                "teams/blue/files/",
            ])
        // Below `staff` is a folder that the group may not list.
        let lead = PolicyFixture.user("bob", groups: ["staff", "lead"])
        #expect(
            try Self.roots(of: lead) == [
                "inbox/", "press/", "home/bob/", "drop/secret/", "teams/staff/files/", "teams/lead/files/",
            ])
        #expect(try Self.roots(of: .guest) == ["inbox/", "press/", "drop/secret/"])
        #expect(try Self.roots(of: PolicyFixture.user(nil)) == ["inbox/", "press/", "drop/secret/"])
    }

    @Test("Without listing, only folders for uploads are left; a store without rules has none")
    func stores() throws {
        #expect(try Self.roots(of: .guest, listing: []) == ["inbox/", "drop/secret/"])
        #expect(try Self.roots(of: .guest, store: "archive", listing: ["archive"]) == [])
        #expect(try Self.roots(of: .guest, store: "nowhere") == [])
    }

    @Test("A folder within a root is omitted, unless the caller may do more there")
    func nested() throws {
        let rules = """
            rules:
              - {path: "**", allow: {authenticated: [read]}}
              - {path: a/**, allow: {authenticated: [read]}}
              - {path: b/**, allow: {authenticated: [read, write]}}
              - {path: b/c/**, allow: {authenticated: [read, write, multipart, delete]}}
            """
        #expect(try Self.roots(rules, of: PolicyFixture.user("alice")) == ["", "b/"])
    }

    @Test(
        "A value that cannot be a segment of a path opens nothing",
        arguments: ["", "a/b", "..", "a\\b", "\u{1}"])
    func values(value: String) throws {
        let rules = "rules: [{path: \"home/{identity}/**\", allow: {authenticated: [read, write]}}]"
        #expect(try Self.roots(rules, of: PolicyFixture.user(value)) == [])
    }

    @Test("A denial removes a root, and there are at most 100, the shortest first")
    func bounds() throws {
        let groups = (0..<150).map { "g\($0)" }
        let many = """
            rules:
              - {path: "long/{group}/**", allow: {owner: [write]}}
              - {path: "{group}/**", allow: {owner: [write]}}
            deny:
              - {path: g0/**}
            """
        let roots = try Self.roots(many, of: PolicyFixture.user("alice", groups: groups))
        #expect(roots.count == 100 && roots.prefix(99).elementsEqual(groups[1..<100].map { $0 + "/" }))
        #expect(roots.last == "long/g0/")
    }

    @Test(
        "Over random rules, the caller may list each root or upload to it", arguments: 1...8 as ClosedRange<UInt64>
    )
    func agreement(seed: UInt64) throws {
        var random = RandomPolicy(generator: SeededGenerator(seed: seed))
        var found = 0
        for _ in 0..<40 {
            let naive = random.policy()
            let policy = try PolicyFixture.compile(naive.yaml, listing: ["media", "archive"]).policy
            let request = random.request().accessRequest
            let (caller, store) = (request.caller, request.store)
            let roots = policy.roots(of: caller, in: store)
            func isOpen(_ folder: [UInt8]) -> (listed: Bool, writable: Bool) {
                var list = AccessRequest(caller: caller, action: .list, key: folder, store: store)
                list.asksForLimits = true
                let uploads = [AccessAction.write, .multipart].map { action in
                    var upload = AccessRequest(
                        caller: caller, action: action, key: folder + caller.foreignSegment, store: store)
                    upload.asksForLimits = true
                    return policy.decision(for: upload).code == "allowed"
                }
                return (policy.decision(for: list).code == "allowed", uploads.contains(true))
            }
            #expect(Set(roots).count == roots.count)
            for root in roots {
                let access = isOpen(root)
                #expect(access.listed || access.writable, "\(naive.yaml)")
                found += 1
            }
        }
        #expect(found > 0)
    }
}
