import Foundation
import Requests
import TestSupport
import Testing

@testable import AccessRulesTestSupport
@testable import PresignTools

/// Random policies with one change, compared by `diff-rules` and, for all requests at once, by the solver z3.
@Suite("diff-rules against a solver")
struct ComparisonProofTests {
    private static let python = ProcessInfo.processInfo.environment["PRESIGN_E2E_SOLVER"]
    private static let count = isLongRun ? 500 : 10

    private struct Answer: Decodable, Equatable {
        let wider: Bool
        let narrower: Bool
    }

    /// The rules and denials of one store, without limits, which z3 does not know.
    private static func small(_ policy: NaivePolicy) -> NaivePolicy {
        var policy = policy
        policy.rules = policy.rules.filter { $0.store == "media" }.map { rule in
            var rule = rule
            rule.limits = NaivePolicy.Limits()
            for index in rule.grants.indices { rule.grants[index].limits = NaivePolicy.Limits() }
            return rule
        }
        policy.denials = policy.denials.filter { ($0.store ?? "media") == "media" }
        return policy
    }

    private static func members(of policy: NaivePolicy) -> [String: Any] {
        let rules = policy.rules.map { rule in
            ["path": rule.path, "grants": rule.grants.map { ["grantee": $0.grantee, "actions": $0.actions] }]
                as [String: Any]
        }
        let denials = policy.denials.map { ["path": $0.path, "actions": $0.actions ?? NSNull()] as [String: Any] }
        return ["rules": rules, "denials": denials, "exclusive": policy.isExclusive]
    }

    /// Whether each of two files allows a request that the other refuses. Listings are not asked.
    private static func answer(_ pair: [NaivePolicy]) throws -> Answer {
        let files = try pair.map { policy in
            try PolicyFile(parsing: Array(("stores: [media]\n" + policy.yaml).utf8), file: "p.yaml")
        }
        let comparison = try PolicyComparison(files[0], files[1], names: ["old", "new"]) { false }
        return Answer(
            wider: comparison.wider.contains { !$0.request.isListing },
            narrower: comparison.narrower.contains { !$0.request.isListing })
    }

    @Test(
        "Equal, wider, narrower or both, as the solver says",
        .enabled(if: python != nil, "needs PRESIGN_E2E_SOLVER; Tests/run.sh sets it"))
    func proof() async throws {
        var random = RandomPolicy(generator: SeededGenerator(seed: 70))
        var pairs: [[NaivePolicy]] = []
        while pairs.count < Self.count {
            let old = random.policy()
            let pair = [old, random.changed(old)].map(Self.small)
            if pair.allSatisfy({ !$0.rules.isEmpty }) { pairs.append(pair) }
        }
        let input = try pairs.reduce(into: Data()) { data, pair in
            let line = ["old": Self.members(of: pair[0]), "new": Self.members(of: pair[1])]
            data += try JSONSerialization.data(withJSONObject: line) + Data("\n".utf8)
        }
        let result = try await Command.run(try #require(Self.python), [Python.script("compare_policies")], input: input)
        try #require(result.status == 0, "\(result.errors)")
        let answers = try result.output.split(separator: "\n").map { line in
            try JSONDecoder().decode(Answer.self, from: Data(line.utf8))
        }
        try #require(answers.count == pairs.count)
        for (pair, answer) in zip(pairs, answers) {
            #expect(try Self.answer(pair) == answer, "\(pair[0].yaml)\n\(pair[1].yaml)")
        }
        #expect(answers.contains { $0.wider || $0.narrower })
    }
}
