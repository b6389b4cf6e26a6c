import AccessRules
import TestSupport
import Testing

@testable import AccessRulesTestSupport

@Suite("The most specific rule decides")
struct SpecificityTests {
    @Test(
        "Segments are compared in order: literal, placeholder, *, **",
        arguments: [
            ("a/b", "a/b"), ("a/x", "a/{identity}"), ("a/b/c", "a/b/{identity}"), ("a/x/c", "a/{identity}/c"),
            ("a/x/y", "a/{identity}/*"), ("a/x/y/z", "a/**"), ("q/b", "*/b"), ("q/x", "**"), ("q/x/y", "**"),
            ("a/b/c/d", "a/b/**"), ("a", "**"), ("a/b/x/end", "a/b/**"), ("a/x/y/end", "a/{identity}/*/end"),
            ("q/x/deep", "*/*/deep"), ("A/b", "*/b"), ("a/b\u{301}", "a/{identity}"),
        ])
    func order(path: String, pattern: String) throws {
        let policy = try PolicyFixture.policy(templates: [
            "**", "*/*/deep", "*/b", "a/**", "a/{identity}/*", "a/{identity}/c", "a/b/{identity}", "a/{identity}",
            "a/b",
            "a/b/**", "a/{identity}/*/end",
        ])
        #expect(policy.decision(for: PolicyFixture.request(path)).rule?.pattern == pattern)
    }

    @Test("A template without a final ** matches only keys of its length", arguments: ["a", "a/b/c", "a/b/c/d/e"])
    func length(path: String) throws {
        let policy = try PolicyFixture.policy(templates: ["a/*", "a/b/*/d"])
        #expect(policy.decision(for: PolicyFixture.request(path)).code == "no-rule")
    }

    @Test("** matches one or more segments", arguments: [("a", "no-rule"), ("a/b", "allowed"), ("a/b/c", "allowed")])
    func rest(path: String, code: String) throws {
        let policy = try PolicyFixture.policy(templates: ["a/**"])
        #expect(policy.decision(for: PolicyFixture.request(path)).code == code)
    }

    @Test("The trie finds the same rule as a comparison of all rules")
    func againstAllRules() throws {
        var generator = SeededGenerator(seed: 7)
        let words = ["a", "b", "{identity}", "*"]
        var templates: Set<String> = ["**"]
        while templates.count < 120 {
            var parts = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                words.randomElement(using: &generator) ?? "a"
            }
            if Bool.random(using: &generator) { parts.append("**") }
            templates.insert(parts.joined(separator: "/"))
        }
        let sorted = templates.sorted()
        let policy = try PolicyFixture.policy(templates: sorted)
        for _ in 0..<3000 {
            let path = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
                ["a", "b", "c"].randomElement(using: &generator) ?? "a"
            }
            let found = policy.decision(for: PolicyFixture.request(path.joined(separator: "/"))).rule?.pattern
            #expect(found == expected(sorted, path))
        }
    }

    /// The best of all matching templates, compared segment by segment by rank.
    private func expected(_ templates: [String], _ path: [String]) -> String? {
        let ranks = ["{identity}": 2, "*": 1, "**": 0]
        let matching = templates.filter { template in
            var parts = template.split(separator: "/").map(String.init)
            let isOpen = parts.last == "**"
            if isOpen { parts.removeLast() }
            guard isOpen ? path.count > parts.count : path.count == parts.count else { return false }
            return zip(parts, path).allSatisfy { ranks[$0] != nil || $0 == $1 }
        }
        return matching.max { left, right in
            let left = left.split(separator: "/").map { ranks[String($0)] ?? 3 }
            return left.lexicographicallyPrecedes(right.split(separator: "/").map { ranks[String($0)] ?? 3 })
        }
    }
}
