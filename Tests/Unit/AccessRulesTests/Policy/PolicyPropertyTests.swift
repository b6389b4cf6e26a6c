import Presigning
import Requests
import TestSupport
import Testing

@testable import AccessRules
@testable import AccessRulesTestSupport
@testable import DataFormats

@Suite("Random policies against a second, simpler implementation")
struct PolicyPropertyTests {
    @Test(
        "A denial that leaves a multipart upload open gets the incompleteness warning",
        arguments: 1...10 as ClosedRange<UInt64>)
    func openUploads(seed: UInt64) throws {
        var random = RandomPolicy(generator: SeededGenerator(seed: seed))
        let paths = Self.paths(of: ["a", "b", "c", "red", "z"], upTo: 5)
        var found = 0
        for _ in 0..<10 {
            var naive = random.policy()
            for index in naive.rules.indices { naive.rules[index].grants[0].actions = ["multipart"] }
            naive.denials = [random.denial(), random.denial()]
            naive.denials[0].actions = ["write"]
            if naive.denials[1].actions == ["write"] { naive.denials[1].actions = nil }
            // Short, so that paths of five segments reach every open upload.
            naive.denials[0].path = naive.denials[0].path.prefix(3).map { $0 == "?" ? "*" : $0 }
            let compiled = try PolicyFixture.compile(naive.yaml)
            let denial = naive.denials[0]
            let isOpen = ["media", "archive"].contains { store in
                (denial.store ?? store) == store
                    && paths.contains { path in
                        NaivePolicy.denial(denial.path, path) && naive.grantsMultipart(path, in: store)
                    }
            }
            let warnings = compiled.warnings.filter { $0.message.contains("denies `write` but not `multipart`") }
            #expect(!isOpen || !warnings.isEmpty, "\(naive.yaml)")
            found += isOpen ? 1 : 0
        }
        #expect(found > 0)
    }

    private static func paths(of words: [String], upTo length: Int) -> [[String]] {
        var paths: [[String]] = words.map { [$0] }
        for length in 2...length {
            paths += paths.filter { $0.count == length - 1 }.flatMap { path in words.map { path + [$0] } }
        }
        return paths
    }

    @Test(
        "A rule gets the unreachable warning exactly when no path reaches it", arguments: 1...20 as ClosedRange<UInt64>)
    func shadows(seed: UInt64) throws {
        var random = RandomPolicy(generator: SeededGenerator(seed: seed))
        // Every path of up to five segments built from the words of the rules and one other word.
        let paths = Self.paths(of: ["a", "b", "c", "red", "z"], upTo: 5)
        for _ in 0..<5 {
            var naive = random.policy()
            naive.denials = []
            let compiled = try PolicyFixture.compile(naive.yaml)
            let reached = Set(
                paths.flatMap { path in
                    ["media", "archive"].compactMap { store in
                        let request = PresignRequest(
                            caller: .guest, action: .get, path: Array(path.joined(separator: "/").utf8), store: store)
                        return compiled.policy.decision(for: request).rule?.position.line
                    }
                })
            let warned = Set(compiled.warnings.filter { $0.message.contains("more specific rules decide") }.map(\.line))
            #expect(Set(compiled.policy.rules.map(\.reference.position.line)).subtracting(reached) == warned)
        }
    }
}

extension NaivePolicy {
    /// Whether the deciding rule grants `multipart` to any caller and no denial revokes it.
    fileprivate func grantsMultipart(_ path: [String], in store: String) -> Bool {
        let isDenied = denials.contains { denial in
            (denial.store ?? store) == store && (denial.actions?.contains("multipart") ?? true)
                && NaivePolicy.denial(denial.path, path)
        }
        let matching = rules.filter { $0.store == store && Self.rule($0.path, path) }
        let best = matching.max { rank($0.path).lexicographicallyPrecedes(rank($1.path)) }
        return !isDenied && best?.grants.contains { $0.actions.contains("multipart") } == true
    }
}
