import Requests
import TestSupport
import Testing

@testable import AccessRules
@testable import AccessRulesTestSupport

/// Random policies and prefixes. The simple implementation decides each key below the prefix by itself.
@Suite("Listings against a second, simpler implementation")
struct ListingPropertyTests {
    @Test(
        "A listing is allowed exactly if the caller may list every key below the prefix",
        arguments: 1...12 as ClosedRange<UInt64>)
    func matchesEveryKey(seed: UInt64) throws {
        var random = RandomPolicy(generator: SeededGenerator(seed: seed))
        var allowed = 0
        for _ in 0..<12 {
            let naive = random.listingPolicy()
            let policy = try PolicyFixture.compile(naive.yaml, listing: ["media", "archive"]).policy
            for _ in 0..<4 {
                var request = random.request()
                request.action = "list"
                request.store = random.one(of: ["media", "archive"])
                request.expiresIn = random.one(of: [nil, nil, 600, 700])
                let prefix = random.one(of: [
                    [], ["a"], ["b"], ["red"], ["z"], ["a", "b"], ["red", "a"], ["b", "z", "c"],
                ])
                let decision = Self.decision(on: prefix, request, by: policy)
                let verdicts = Self.verdicts(below: prefix, request, by: naive)
                let isAllowed = verdicts.allSatisfy { $0.status == 200 }
                let context = "\(naive.yaml)\n\(prefix) \(request)"
                #expect((decision.status == 200) == isAllowed, "\(context)")
                if case .allowed(let allowance) = decision {
                    allowed += 1
                    #expect(allowance.expiresIn == verdicts.compactMap(\.expiresIn).min(), "\(context)")
                } else {
                    // The named rule refuses a key below the prefix.
                    let rule = decision.rule?.pattern
                    #expect(verdicts.contains { $0.status != 200 && $0.rule == rule }, "\(context)")
                }
            }
        }
        #expect(allowed > 0)
    }

    private static func decision(
        on prefix: [String], _ request: NaivePolicy.Request, by policy: AccessPolicy
    ) -> AccessDecision {
        var asked = request.accessRequest
        asked.path = prefix.flatMap { Array($0.utf8) + [UInt8(ascii: "/")] }
        return policy.decision(for: asked)
    }

    private static func verdicts(
        below prefix: [String], _ request: NaivePolicy.Request, by naive: NaivePolicy
    ) -> [NaivePolicy.Verdict] {
        RandomPolicy.endings(below: prefix).map { ending in
            var single = request
            single.path = prefix + ending
            return naive.verdict(on: single)
        }
    }
}
