import Testing

@testable import PresignService

@Suite("Random policies, beside a second and plainer implementation")
struct PolicyPropertyTests {
    @Test("Every request comes to the same", arguments: 1...40 as ClosedRange<UInt64>)
    func verdicts(seed: UInt64) throws {
        var random = RandomPolicy(generator: SeededGenerator(state: seed))
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
                    expiresIn: verdict.expiresIn, ifNoneMatch: verdict.ifNoneMatch)
                try #require(found == naive.verdict(on: request), "\(request)\n\(naive.yaml)")
                statuses.insert(verdict.status)
            }
        }
        #expect(statuses == [200, 400, 401, 403, 422])
    }

    @Test(
        "A rule is warned of as unreachable exactly when no path reaches it", arguments: 1...20 as ClosedRange<UInt64>)
    func shadows(seed: UInt64) throws {
        var random = RandomPolicy(generator: SeededGenerator(state: seed))
        // Every path of up to five segments out of the words that rules are made of, and one more.
        let words = ["a", "b", "c", "red", "z"]
        var paths: [[String]] = words.map { [$0] }
        for length in 2...5 {
            paths += paths.filter { $0.count == length - 1 }.flatMap { path in words.map { path + [$0] } }
        }
        for _ in 0..<5 {
            var naive = random.policy()
            naive.denials = []
            let compiled = try PolicyFixture.compile(naive.yaml)
            let reached = Set(
                paths.flatMap { path in
                    ["media", "archive"].compactMap { store in
                        let request = AccessRequest(
                            caller: .guest, action: .get, key: Array(path.joined(separator: "/").utf8), store: store)
                        return compiled.policy.decision(for: request).rule?.position.line
                    }
                })
            let warned = Set(compiled.warnings.filter { $0.message.contains("decides wherever") }.map(\.line))
            #expect(Set(compiled.policy.rules.map(\.reference.position.line)).subtracting(reached) == warned)
        }
    }
}
