import Foundation
import Requests
import TestSupport
import Testing

@testable import AccessRules
@testable import AccessRulesTestSupport

/// Random policies and prefixes, decided by presign and, for all keys at once, by the solver z3.
///
/// A listing is decided by a few keys that stand for all below its prefix: they consist of the literals of one rule, and of
/// a free segment, which equals no literal, where the rule has a placeholder or wildcard. This is sufficient:
/// - If a rule decides any key, it decides the key of the same length with free segments in place of its placeholders and
///   wildcards, because the latter matches no other rule that the former does not match.
/// - If no rule matches some key, none matches the key of that length with only free segments.
/// - Where no node of the rules' tree is left, only `**` matches, whatever the length.
@Suite("Listings and rules against a solver")
struct ProofTests {
    private static let python = ProcessInfo.processInfo.environment["PRESIGN_E2E_SOLVER"]
    private static let count = isLongRun ? 5000 : 80

    /// One listing, with the decision of presign.
    private struct Listing {
        let naive: NaivePolicy
        let policy: AccessPolicy
        let request: NaivePolicy.Request
        let prefix: [String]

        init(_ random: inout RandomPolicy) throws {
            naive = random.listingPolicy()
            policy = try PolicyFixture.compile(naive.yaml, listing: ["media", "archive"]).policy
            var request = random.request()
            (request.action, request.expiresIn) = ("list", nil)
            request.store = random.one(of: ["media", "archive"])
            self.request = request
            prefix = random.one(of: [[], ["a"], ["b"], ["red"], ["z"], ["a", "b"], ["red", "a"], ["b", "z", "c"]])
        }

        func decision(on key: String) -> AccessDecision {
            var asked = request.accessRequest
            asked.path = Array(key.utf8)
            return policy.decision(for: asked)
        }

        /// The line for the solver, with the rules and denials of the store alone.
        var line: Data {
            get throws {
                let rules = naive.rules.filter { $0.store == request.store }.map { rule in
                    ["path": rule.path, "grants": rule.grants.map { ["grantee": $0.grantee, "actions": $0.actions] }]
                        as [String: Any]
                }
                let denials = naive.denials.filter { ($0.store ?? request.store) == request.store }.map {
                    ["path": $0.path, "actions": $0.actions ?? NSNull()] as [String: Any]
                }
                let who: Any? = request.who.map {
                    [
                        "identity": $0.identity ?? NSNull(), "groups": $0.groups, "claims": $0.claims,
                        "key": $0.key ?? NSNull(),
                    ] as [String: Any]
                }
                return try JSONSerialization.data(withJSONObject: [
                    "rules": rules, "denials": denials, "exclusive": naive.isExclusive, "who": who ?? NSNull(),
                    "prefix": prefix,
                ]) + Data("\n".utf8)
            }
        }
    }

    private struct Answer: Decodable {
        /// A key below the prefix that the caller may not list.
        let forbidden: [String]?
        /// Paths of rules with keys that they must not decide.
        let crossing: [[String]]
    }

    @Test(
        "An allowed listing covers no key that the caller may not list, a refused one does; no rule crosses a slash",
        .enabled(if: python != nil, "needs PRESIGN_E2E_SOLVER; Tests/run.sh sets it"))
    func proof() async throws {
        var random = RandomPolicy(generator: SeededGenerator(seed: 2026))
        var listings: [Listing] = []
        for _ in 0..<Self.count { listings.append(try Listing(&random)) }
        let input = try listings.reduce(into: Data()) { $0 += try $1.line }
        let result = try await Command.run(try #require(Self.python), [Python.script("prove_policies")], input: input)
        try #require(result.status == 0, "\(result.errors)")
        let answers = try result.output.split(separator: "\n").map { line in
            try JSONDecoder().decode(Answer.self, from: Data(line.utf8))
        }
        try #require(answers.count == listings.count)
        var allowed = 0
        var crossings = 0
        for (listing, answer) in zip(listings, answers) {
            let context = Comment("\(listing.naive.yaml)\n\(listing.prefix) \(listing.request) \(answer)")
            let isAllowed = listing.decision(on: listing.prefix.map { $0 + "/" }.joined()).status == 200
            #expect(isAllowed == (answer.forbidden == nil), context)
            if let key = answer.forbidden {
                #expect(listing.decision(on: key.joined(separator: "/")).status != 200, context)
            }
            for pair in answer.crossing {
                #expect(listing.decision(on: pair[1]).rule?.pattern != pair[0], context)
            }
            allowed += isAllowed ? 1 : 0
            crossings += answer.crossing.count
        }
        #expect(allowed > Self.count / 20 && crossings > Self.count)
    }
}
