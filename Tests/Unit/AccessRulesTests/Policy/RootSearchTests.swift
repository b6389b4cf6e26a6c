import Requests
import TestSupport
import Testing

@testable import AccessRules
@testable import AccessRulesTestSupport

/// The steps are counted, so the bound does not depend on the machine.
@Suite("The work for the roots of a caller")
struct RootSearchTests {
    /// Rules that each have folders for a caller, and what a search must find.
    struct Shape: Sendable, CustomTestStringConvertible {
        let path: String
        var allow = "owner: [read, write]"
        var denied: [String] = []
        var rules = 200
        var groups = 1100
        var found = 0...AccessPolicy.maximumRoots
        var isTruncated = true
        var testDescription: String { "\(rules) x \(path), \(allow), \(groups) groups, denied: \(denied.first ?? "")" }
    }

    private static let manyDenials = (0..<99).map { "**/*x\($0)x*/**" } + ["**"]
    /// Of t0 to t999, 64 have none of these digits.
    private static let fewLeft = (1...6).map { "t*\($0)*/**" }
    private static let shapes = [
        Shape(path: "t#/{group}/**", found: 100...100),
        Shape(path: "t#/{group}/{group}/**", rules: 1000, found: 100...100),
        Shape(path: "{group}/t#/{group}/{group}/**", found: 100...100),
        Shape(path: "t#/{group}/{group}/**", denied: ["**"], rules: 1000, found: 0...0),
        Shape(path: "{group}/t#/{group}/{group}/**", denied: ["**"], rules: 1, found: 0...0),
        Shape(path: "t#/{group}/**", denied: manyDenials, found: 0...0),
        Shape(path: "t#/{group}/{claim.team}/{group}/{identity}/**", denied: ["**"], found: 0...0),
        Shape(path: "{group}/t#/**", allow: "group:g1: [list]", found: 100...100),
        Shape(path: "{group}/t#/**", allow: "group:g1: [list]", denied: ["*/t9/**", "**"], found: 0...0),
        // Rules that grant the caller nothing cost nothing.
        Shape(path: "t#/{group}/{group}/**", allow: "group:others: [read, write]", found: 0...0, isTruncated: false),
        Shape(path: "t#/{group}/{group}/**", allow: "authenticated: [get, delete]", found: 0...0, isTruncated: false),
        Shape(path: "t#/{claim.other}/{group}/**", found: 0...0, isTruncated: false),
        // All folders of callers with one value for each placeholder are tried, however many rules there are.
        Shape(path: "t#/{group}/**", denied: fewLeft, rules: 1000, groups: 1, found: 64...64, isTruncated: false),
        Shape(path: "t#/{claim.team}/{identity}/**", denied: fewLeft, rules: 1000, found: 64...64, isTruncated: false),
        Shape(path: "t#/{group}/**", denied: ["t9*/**"], rules: 100, groups: 1, found: 89...89, isTruncated: false),
        Shape(path: "t#/{identity}/**", denied: manyDenials, found: 0...0, isTruncated: false),
        Shape(path: "t#/{group}/**", rules: 1, groups: 100, found: 100...100, isTruncated: false),
        Shape(path: "t#/{group}/**", rules: 1, groups: 101, found: 100...100),
        Shape(path: "t#/{group}/**", denied: ["**"], rules: 1, found: 0...0, isTruncated: false),
    ]

    @Test("It is bounded for every number of rules, groups and placeholders", arguments: shapes)
    func bounds(shape: Shape) throws {
        let rules = (0..<shape.rules).map { shape.path.replacing("#", with: "\($0)") }
            .map { "  - {path: \"\($0)\", allow: {\(shape.allow)}}\n" }.joined()
        let denials = shape.denied.map { "  - {path: \"\($0)\"}\n" }.joined()
        let groups = (0..<shape.groups).map { "g\($0)" }
        let search = try Self.search("rules:\n\(rules)" + (denials.isEmpty ? "" : "deny:\n" + denials), groups)
        #expect(shape.found.contains(search.roots.folders.count), "\(search.roots.folders.count)")
        #expect(search.roots.areTruncated == shape.isTruncated)
        // The first folder of each rule, which is compared with each denial, and the shared steps.
        let first = shape.rules * (2 + shape.denied.count / 8)
        #expect(search.steps <= first + search.sharedSteps, "\(search.steps)")
    }

    @Test("Rules with many folders leave steps for the others, which find theirs")
    func fairness() throws {
        let yaml = """
            rules:
              - {path: "a/{group}/{group}/**", allow: {owner: [write]}}
              - {path: "b/{group}/{group}/{group}/**", allow: {owner: [write]}}
              - {path: "c/{group}/long/{group}/way/**", allow: {owner: [write]}}
              - {path: "d/{group}/in/a/folder/of/folders/**", allow: {owner: [write]}}
              - {path: "the/last/and/longest/path/of/the/whole/file/{identity}/**", allow: {owner: [write]}}
            deny: [{path: a/**}, {path: b/**}, {path: c/**}]
            """
        let roots = try Self.search(yaml, (0..<40).map { "g\($0)" }).roots
        let folders = roots.folders.map { String(decoding: $0, as: UTF8.self) }
        #expect(folders.count { $0.hasPrefix("d/") } == 40 && folders.count == 41 && roots.areTruncated)
    }

    @Test("A caller who may do everything in a root has no other roots", arguments: [["media"], []])
    func everything(listing: Set<String>) throws {
        let rules = (0..<100).map { "  - {path: \"t\($0)/{group}/{group}/**\", allow: {owner: [read, write]}}\n" }
        let yaml = "rules:\n  - {path: \"**\", allow: {authenticated: [read, write]}}\n" + rules.joined()
        let groups = (0..<1100).map { "g\($0)" }
        let search = try Self.search(yaml.replacing("owner", with: "authenticated"), groups, listing)
        #expect(search.roots.folders == [[]] && !search.roots.areTruncated)
    }

    @Test("Groups that occur twice, or cannot be a segment of a path, take no steps")
    func groups() throws {
        let yaml = "rules: [{path: \"t/{group}/{group}/**\", allow: {owner: [write]}}]\ndeny: [{path: t/**}]"
        let unsafe = ["", ".", "..", "a/b", "a\\b", "%2e", "\u{7}"].flatMap { Array(repeating: $0, count: 300) }
        let search = try Self.search(yaml, unsafe + Array(repeating: "a", count: 2500) + ["b"])
        #expect(search.steps == 4 * 2 && !search.roots.areTruncated)
    }

    private static func search(
        _ yaml: String, _ groups: [String], _ listing: Set<String> = ["media"]
    ) throws -> RootSearch {
        let policy = try PolicyFixture.compile(yaml, listing: listing).policy
        let caller = PolicyFixture.user("alice", groups: groups, claims: [Caller.Claim(name: "team", value: "t1")])
        var search = RootSearch(for: caller, in: 0, of: policy)
        search.run()
        return search
    }
}
