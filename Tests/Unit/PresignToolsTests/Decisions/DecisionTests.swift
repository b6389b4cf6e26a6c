import Foundation
import TestSupport
import Testing

@testable import AccessRulesTestSupport
@testable import PresignServiceTestSupport

/// Every way to ask for a decision, with random policies and requests, against the independent interpreter.
@Suite("Every door decides as the independent interpreter")
struct DecisionTests {
    /// The number of random requests: a million with PRESIGN_E2E_LONG, as in `Tests/run.sh --long`.
    private static let count = isLongRun ? 1_000_000 : 3_000
    private static let (seeds, requestsPerPolicy, listingsPerPolicy) = (10, 50, 2)

    @Test(
        "Random policies and requests get the same decision everywhere",
        arguments: 1...UInt64(seeds))
    func same(seed: UInt64) throws {
        var random = RandomPolicy(generator: SeededGenerator(seed: seed))
        var seen = DecisionTally()
        while seen.requests < Self.count / Self.seeds {
            let policy = try DecisionPolicy(random.policy())
            let requests = (0..<Self.requestsPerPolicy).map { _ in DecisionRequest(&random) }
            try policy.compare(requests, &seen)
        }
        #expect(seen.statuses == [200, 400, 401, 403, 422])
        #expect(seen.links > 0 && seen.uploads > 0 && seen.granted > 0 && seen.withheld > 0, "\(seen)")
    }

    @Test(
        "Listings of random prefixes get the decision on the keys below the prefix; the folders to start at are open",
        arguments: 1...UInt64(seeds))
    func listings(seed: UInt64) throws {
        var random = RandomPolicy(generator: SeededGenerator(seed: 100 + seed))
        var statuses: Set<Int> = []
        var roots = 0
        for index in 0..<max(40, Self.count / Self.seeds / 2_000) {
            let policy = try DecisionPolicy(random.listingPolicy())
            for _ in 0..<Self.listingsPerPolicy { statuses.insert(try policy.compareListing(&random)) }
            if index % 4 == 0 { roots += try policy.compareRoots(&random) }
        }
        #expect(statuses.contains(200) && statuses.count > 1 && roots > 0, "\(statuses), \(roots)")
    }
}

/// What a run has seen, so that it shows that it compared something.
struct DecisionTally {
    var requests = 0, links = 0, uploads = 0
    /// Actions that `GET /permissions` named, and those that it did not.
    var granted = 0, withheld = 0
    var statuses: Set<Int> = []
}
