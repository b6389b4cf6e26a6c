import TestSupport
import Testing

@testable import AccessRules
@testable import AccessRulesTestSupport
@testable import PresignTools

@Suite("Verdicts of random policies against a second, simpler implementation")
struct VerdictPropertyTests {
    @Test("Both give the same verdict on every request", arguments: 1...40 as ClosedRange<UInt64>)
    func verdicts(seed: UInt64) throws {
        var random = RandomPolicy(generator: SeededGenerator(seed: seed))
        var statuses: Set<Int> = []
        for _ in 0..<25 {
            let naive = random.policy()
            let text =
                "stores: {media: {bucket: one, region: r, default: true}, archive: {bucket: two, region: r}}\n"
                + naive.yaml
            let file = try PolicyFile(parsing: Array(text.utf8), file: "p.yaml")
            for _ in 0..<60 {
                let request = random.request()
                let verdict = file.verdict(on: request.accessRequest)
                let found = NaivePolicy.Verdict(
                    status: verdict.status, rule: verdict.rule?.pattern, reason: verdict.reason, fields: verdict.fields,
                    expiresIn: verdict.expiresIn, ifNoneMatch: verdict.ifNoneMatch,
                    isAdding: verdict.isAllowed ? verdict.addedHeaders.contains { $0.name == "cache-control" } : nil)
                try #require(found == naive.verdict(on: request), "\(request)\n\(naive.yaml)")
                statuses.insert(verdict.status)
            }
        }
        #expect(statuses == [200, 400, 401, 403, 422])
    }
}
