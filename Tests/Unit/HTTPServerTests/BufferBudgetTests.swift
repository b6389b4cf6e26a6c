import Testing

@testable import HTTPServer

@Suite("Memory budget for requests and responses")
struct BufferBudgetTests {
    @Test("Charges add up to the limit and are released with the last reference")
    func charging() throws {
        let budget = BufferBudget(limit: 20_000)
        var first = budget.charge(8_000, for: .response)
        #expect(first != nil && budget.used == 8_000)
        #expect(budget.charge(12_001, for: .response) == nil && budget.used == 8_000)
        let second = try #require(budget.charge(12_000, for: .response))
        #expect(!second.resize(to: 12_001) && budget.used == 20_000)
        #expect(second.resize(to: 5_000) && budget.used == 13_000)
        first = nil
        #expect(first == nil && budget.used == 5_000)
        #expect(second.resize(to: 20_000))
    }

    @Test("The first 4 KiB are free, even if the budget is exhausted", arguments: [0, 1, 4096])
    func reserve(bytes: Int) throws {
        let budget = BufferBudget(limit: 10_000)
        let all = try #require(budget.charge(10_000, for: .response))
        #expect(budget.hasRoom(for: bytes, for: .request) && !budget.hasRoom(for: 4097, for: .request))
        let free = try #require(budget.charge(bytes, for: .request))
        #expect(budget.used == 10_000 && !free.resize(to: 4097) && budget.charge(4097, for: .request) == nil)
        #expect(all.resize(to: bytes) && budget.used == 0)
    }

    @Test("A quarter of the budget is reserved for responses")
    func uses() throws {
        let budget = BufferBudget(limit: 40_000)
        #expect(budget.charge(30_001, for: .request) == nil && !budget.hasRoom(for: 30_001, for: .request))
        let requests = try #require(budget.charge(30_000, for: .request))
        #expect(!requests.resize(to: 30_001))
        let responses = try #require(budget.charge(10_000, for: .response))
        #expect(budget.used == 40_000)
        withExtendedLifetime((requests, responses)) {}
    }
}
