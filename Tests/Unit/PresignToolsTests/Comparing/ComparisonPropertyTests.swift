import AccessRules
import Foundation
import Requests
import TestSupport
import Testing

@testable import AccessRulesTestSupport
@testable import PresignTools

/// Random policies with one change, and random requests, against the independent interpreter.
@Suite("diff-rules finds each difference between random policies")
struct ComparisonPropertyTests {
    /// 10,000 pairs and 1,000 requests each with PRESIGN_E2E_LONG, as in `Tests/run.sh --long`.
    private static let seeds: UInt64 = 8
    private static let (pairs, requests) = isLongRun ? (1250, 1000) : (6, 150)

    @Test("No request is newly allowed or refused without a finding for its rules", arguments: 1...seeds)
    func complete(seed: UInt64) throws {
        var random = RandomPolicy(generator: SeededGenerator(seed: 7000 + seed))
        var differing = 0
        var findings = 0
        for _ in 0..<Self.pairs {
            let pair = try ComparedPair(&random)
            try pair.confirm()
            findings += pair.comparison.wider.count + pair.comparison.narrower.count
            for index in 0..<Self.requests {
                let request = index % 2 == 0 ? random.request() : random.request(to: pair.naive[index / 2 % 2])
                differing += try pair.check(request) ? 1 : 0
            }
        }
        #expect(differing > 0 && findings > Self.pairs, "\(differing) \(findings)")
    }

    @Test("No listing is newly allowed or refused without a finding for its store", arguments: 1...seeds)
    func listings(seed: UInt64) throws {
        var random = RandomPolicy(generator: SeededGenerator(seed: 8000 + seed))
        for _ in 0..<(isLongRun ? 100 : 1) {
            let old = random.listingPolicy()
            let pair = try ComparedPair([old, random.changed(old)])
            try pair.confirm()
            for prefix in [[], ["a"], ["red"], ["a", "b"]] {
                let (who, store) = (random.request().who, random.one(of: ["media", "archive"]))
                let isAllowed = pair.naive.map { $0.mayList(every: prefix, in: store, who) }
                for lax in [0, 1] where isAllowed[lax] && !isAllowed[1 - lax] {
                    let found = pair.differences(lax: lax).contains {
                        $0.request.isListing
                            && pair.files[lax].policy.index(ofStore: $0.request.store)
                                == pair.files[lax].policy.index(ofStore: store)
                    }
                    try #require(found, "\(prefix) \(store) \(String(describing: who))\n\(pair.comment)")
                }
            }
        }
    }
}
