import Testing

@testable import AccessRules
@testable import PresignService
@testable import RateLimiting
@testable import System

@Suite("Tables of limits")
struct LimitTableTests {
    private let keys = LimitKeySource()

    private func address(_ number: Int) -> LimitKey { keys.key(for: .ipv4(UInt32(number))) }

    @Test("callers have buckets of their own")
    func apart() throws {
        let table = LimitTable()
        let limit = try #require(RateLimit(count: 1, period: 60))
        for number in 0..<1000 { #expect(table.take(address(number), under: limit, at: 0).isAllowed) }
        let refused = (0..<1000).filter { !table.take(address($0), under: limit, at: 0).isAllowed }.count
        // What two sets of eight could not hold was forgotten; a table of 8192 sets holds 1000 callers but by a freak.
        #expect(refused >= 998)
    }

    @Test("to look costs nothing and remembers nothing")
    func looking() throws {
        let table = LimitTable()
        let limit = try #require(RateLimit(count: 1, period: 60))
        #expect(table.look(address(1), under: limit, at: 5).isAllowed && table.byteCount == 0)
        #expect(table.take(address(1), under: limit, at: 5).isAllowed)
        for _ in 0..<3 {
            let use = table.look(address(1), under: limit, at: 5)
            #expect(use == LimitUse(wait: 60_000_000_000, deficit: 60_000_000_000))
        }
        #expect(table.look(address(1), under: limit, at: 60_000_000_005).isAllowed)
    }

    @Test("a flood of a million addresses takes no more memory, and frees nobody who has used up a bucket")
    func flood() throws {
        let table = LimitTable()
        let limit = try #require(RateLimit(count: 20, period: 60))
        let limited = (1...100).map { address(-$0 & 0xFFFF_FFFF) }
        for key in limited {
            for _ in 0..<20 { #expect(table.take(key, under: limit, at: 0).isAllowed) }
            #expect(!table.take(key, under: limit, at: 0).isAllowed)
        }
        for number in 0..<1_000_000 { _ = table.take(address(number), under: limit, at: Int64(number)) }
        #expect(table.byteCount == 1 << 20)
        for key in limited { #expect(!table.look(key, under: limit, at: 1_000_000).isAllowed) }
    }

    @Test("what gives way in a full set is full again, or owes least")
    func eviction() throws {
        let (shard, limit) = (LimitShard(), try #require(RateLimit(count: 10, period: 1)))
        // One set; the shard and the set stand in the highest bits.
        let keys = (1...9).map { LimitKey(hash: $0) }
        for (index, key) in keys.dropLast().enumerated() {
            for _ in 0...index { #expect(shard.take(key, under: limit, at: 0).isAllowed) }
        }
        _ = shard.take(keys[8], under: limit, at: 0)
        // The first, which owed one token, made room; all others stand as they did.
        #expect(shard.look(keys[0], under: limit, at: 0).deficit == 0)
        for index in 1...7 {
            #expect(shard.look(keys[index], under: limit, at: 0).deficit == Int64(index + 1) * 100_000_000)
        }
        // 300 ms later three are full again, and only those give way to three others.
        for hash in 100...102 as ClosedRange<UInt64> {
            _ = shard.take(LimitKey(hash: hash), under: limit, at: 300_000_000)
        }
        for index in 3...7 { #expect(shard.look(keys[index], under: limit, at: 300_000_000).deficit > 0) }
    }

    @Test(
        "addresses that share a bucket",
        arguments: [
            (PeerAddress.ipv4(1), PeerAddress.ipv4(1), true), (.ipv4(1), .ipv4(2), false),
            (.ipv6(1, 2), .ipv6(1, 3), true), (.ipv6(1, 2), .ipv6(2, 2), false), (.ipv4(1), .ipv6(1, 0), false),
            (.unix, .unix, true), (.unix, .ipv4(0), false), (.unix, .ipv6(0, 0), false),
        ])
    func addresses(first: PeerAddress, second: PeerAddress, same: Bool) {
        #expect((keys.key(for: first).hash == keys.key(for: second).hash) == same)
        // Another process has other keys.
        #expect(LimitKeySource().key(for: first).hash != keys.key(for: first).hash)
    }

    @Test("callers are told apart by how and as whom they came")
    func callers() {
        let long = String(repeating: "a", count: 200)
        let callers = [
            Caller(apiKeyID: "a", identity: "x"), Caller(apiKeyID: "b", identity: "x"),
            Caller(apiKeyID: "a", identity: "y"), Caller(scheme: .proxy, identity: "a"),
            Caller(scheme: .jwt, identity: "a"), Caller(scheme: .jwt, identity: nil),
            Caller(scheme: .jwt, identity: long + "1"), Caller(scheme: .jwt, identity: long + "2"),
        ]
        #expect(Set(callers.map { keys.key(for: $0).hash }).count == callers.count)
        #expect(
            keys.key(for: Caller(apiKeyID: "a", identity: "x", groups: ["g"])).hash == keys.key(for: callers[0]).hash)
    }

    @Test("hashes spread over shards and sets")
    func spread() {
        var counts: [Int: Int] = [:]
        for number in 0..<65_536 {
            let key = address(number)
            counts[key.shard * LimitShard.sets + key.set, default: 0] += 1
        }
        #expect(counts.keys.allSatisfy { (0..<8192) ~= $0 })
        // Eight to a set on average; 40 has a probability of less than 10^-14.
        #expect(counts.count > 8000 && counts.values.max() ?? 0 < 40)
    }
}
