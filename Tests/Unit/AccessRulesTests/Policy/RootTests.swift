import Presigning
import Requests
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
        try PolicyFixture.compile(yaml, listing: listing).policy.roots(of: caller, in: store).folders
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
        #expect(roots.elementsEqual(groups[1...100].map { $0 + "/" }))
        let few = try Self.roots(many, of: PolicyFixture.user("alice", groups: Array(groups.prefix(51))))
        #expect(few.elementsEqual(groups[1...50].map { $0 + "/" } + groups.prefix(50).map { "long/\($0)/" }))
    }

    @Test(
        "Over random rules, they are those that the independent interpreter finds by trying every folder",
        arguments: 1...8 as ClosedRange<UInt64>)
    func agreement(seed: UInt64) throws {
        var random = RandomPolicy(generator: SeededGenerator(seed: seed))
        var found = 0
        for _ in 0..<40 {
            let naive = random.policy()
            let policy = try PolicyFixture.compile(naive.yaml, listing: ["media", "archive"]).policy
            let request = random.request()
            let caller = request.accessRequest.caller
            let expected = request.store == "nowhere" ? [] : naive.roots(in: request.store ?? "media", request.who)
            let roots = policy.roots(of: caller, in: request.store)
            let comment = Comment("\(request)\n\(naive.yaml)")
            #expect(roots.texts == expected && !roots.areTruncated, comment)
            found += expected.count
            // With few steps there are fewer, but none that the caller may not open.
            guard let store = policy.index(ofStore: request.store) else { continue }
            var search = RootSearch(for: caller, in: store, of: policy)
            search.sharedSteps = 0
            search.run()
            let few = search.roots.texts
            #expect(few.allSatisfy { root in expected.contains(where: root.hasPrefix) }, comment)
            #expect(search.roots.areTruncated || few == expected, comment)
        }
        #expect(found > 0)
    }
}

extension Roots {
    fileprivate var texts: [String] { folders.map { String(decoding: $0, as: UTF8.self) } }
}
