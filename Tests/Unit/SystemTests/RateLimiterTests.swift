import Testing

@testable import System

@Suite("Rate limiters")
struct RateLimiterTests {
    private func key(_ number: Int) -> LimitKey {
        var hasher = Hasher()
        hasher.combine(number)
        return LimitKey(hasher)
    }

    @Test("Each caller has its own bucket")
    func apart() throws {
        let limiter = RateLimiter()
        let limit = try #require(RateLimit(count: 1, period: 60))
        for number in 0..<1000 { #expect(limiter.take(key(number), under: limit, at: 0).isAllowed) }
        for number in 0..<1000 { #expect(!limiter.take(key(number), under: limit, at: 0).isAllowed) }
    }

    @Test("Reading a limit takes no token and stores nothing")
    func looking() throws {
        let limiter = RateLimiter()
        let limit = try #require(RateLimit(count: 1, period: 60))
        #expect(limiter.peek(key(1), under: limit, at: 5).isAllowed && limiter.count == 0)
        #expect(limiter.take(key(1), under: limit, at: 5).isAllowed)
        for _ in 0..<3 {
            let decision = limiter.peek(key(1), under: limit, at: 5)
            #expect(decision == RateLimitDecision(wait: 60_000_000_000, deficit: 60_000_000_000))
        }
        #expect(limiter.peek(key(1), under: limit, at: 60_000_000_005).isAllowed)
    }

    @Test("A flood of a million addresses uses bounded memory and resets no exhausted bucket")
    func flood() throws {
        let limiter = RateLimiter()
        let limit = try #require(RateLimit(count: 20, period: 60))
        let limited = (1...100).map { key(-$0 & 0xFFFF_FFFF) }
        for key in limited {
            for _ in 0..<20 { #expect(limiter.take(key, under: limit, at: 0).isAllowed) }
            #expect(!limiter.take(key, under: limit, at: 0).isAllowed)
        }
        for number in 0..<1_000_000 { _ = limiter.take(key(number), under: limit, at: Int64(number)) }
        #expect(limiter.count == 65_536)
        for key in limited { #expect(!limiter.peek(key, under: limit, at: 1_000_000).isAllowed) }
    }

    @Test("A full table evicts full buckets, or those closest to full")
    func eviction() throws {
        let (limiter, limit) = (RateLimiter(), try #require(RateLimit(count: 10, period: 1)))
        func fill(_ numbers: Range<Int>, tokens: Int, at now: Int64) {
            for number in numbers {
                for _ in 0..<tokens { _ = limiter.take(key(number), under: limit, at: now) }
            }
        }
        func remembered(_ numbers: Range<Int>, at now: Int64) -> Int {
            numbers.count { limiter.peek(key($0), under: limit, at: now).deficit > 0 }
        }
        fill(0..<20_000, tokens: 9, at: 0)
        fill(100_000..<300_000, tokens: 2, at: 0)
        // Each part of the table holds 64 entries, of which about 20 lack nine tokens.
        #expect(limiter.count == 65_536 && remembered(0..<20_000, at: 0) == 20_000)
        // 300 ms later only those still lack any, and new entries replace the others.
        fill(500_000..<520_000, tokens: 1, at: 300_000_000)
        #expect(remembered(0..<20_000, at: 300_000_000) == 20_000)
        #expect(remembered(500_000..<520_000, at: 300_000_000) > 19_900)
    }
}
