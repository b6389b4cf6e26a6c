import TestSupport
import Testing

@testable import System

@Suite("Token buckets")
struct TokenBucketTests {
    private static let second: Int64 = 1_000_000_000

    private static func limit(_ count: Int, _ period: Int, _ burst: Int? = nil) throws -> RateLimit {
        try #require(RateLimit(count: count, period: period, burst: burst))
    }

    /// The time of each call and its expected wait, both in milliseconds; 0 means a token was taken.
    struct Script: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let limit: (Int, Int, Int?)
        let steps: [(at: Int64, wait: Int64)]
    }

    static let scripts = [
        Script(
            testDescription: "a full bucket allows its burst at once, then one call per interval", limit: (10, 1, 3),
            steps: [(0, 0), (0, 0), (0, 0), (0, 100), (99, 1), (100, 0), (100, 100), (150, 50), (200, 0)]),
        Script(
            testDescription: "a rejected call takes no token", limit: (1, 1, 1),
            steps: [(0, 0), (0, 1000), (500, 500), (999, 1), (1000, 0)]),
        Script(
            testDescription: "a bucket never holds more than its burst", limit: (10, 1, 2),
            steps: [(0, 0), (3_600_000, 0), (3_600_000, 0), (3_600_000, 100)]),
        Script(
            testDescription: "the default burst is one period's tokens", limit: (2, 60, nil),
            steps: [(0, 0), (0, 0), (0, 30_000), (30_000, 0), (59_999, 1)]),
        Script(
            testDescription: "one call per hour", limit: (1, 3600, nil),
            steps: [(7, 0), (8, 3_599_999), (3_600_007, 0)]),
        Script(
            testDescription: "calls at the same time", limit: (1000, 1, 1), steps: [(5, 0), (5, 1), (5, 1), (6, 0)]),
    ]

    @Test("Scripted calls wait as expected", arguments: scripts)
    func script(_ script: Script) throws {
        let limit = try Self.limit(script.limit.0, script.limit.1, script.limit.2)
        // The same result one year after the clock started.
        for start in [0, 365 * 86_400 * Self.second] {
            var bucket = TokenBucket.full
            for (at, wait) in script.steps {
                let now = start + at * 1_000_000
                #expect(bucket.wait(under: limit, at: now) == wait * 1_000_000)
                #expect(bucket.take(under: limit, at: now) == wait * 1_000_000, "at \(at)")
            }
        }
    }

    @Test("Times at the end of the clock do not overflow")
    func overflow() throws {
        let limit = try Self.limit(1, 3600, 700)
        var bucket = TokenBucket.full
        for _ in 0..<700 { #expect(bucket.take(under: limit, at: .max - 1) == 0) }
        #expect(bucket.fullAt == .max)
    }

    /// A straightforward implementation: a level that rises with time.
    private struct Level {
        var level: Int64
        var last: Int64 = 0

        mutating func take(_ limit: RateLimit, at now: Int64) -> Int64 {
            level = min(limit.fillTime, level + now - last)
            last = now
            guard level >= limit.interval else { return limit.interval - level }
            level -= limit.interval
            return 0
        }

        mutating func charge(_ limit: RateLimit, at now: Int64) {
            level = max(0, min(limit.fillTime, level + now - last)) - limit.interval
            last = now
        }
    }

    @Test(
        "Any sequence of calls under any limit agrees with the straightforward implementation",
        arguments: 0..<200 as Range<UInt64>)
    func property(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let period = try #require([1, 60, 3600].randomElement(using: &random))
        let count = Int.random(in: 1...(seed % 2 == 0 ? 10 : 1_000_000), using: &random)
        let limit = try Self.limit(count, period, Int.random(in: 1...20, using: &random))
        var bucket = TokenBucket.full
        var level = Level(level: limit.fillTime)
        var now: Int64 = 0
        for _ in 0..<300 {
            now += Int64.random(in: 0...(2 * limit.interval), using: &random) * Int64.random(in: 0...1, using: &random)
            #expect(bucket.take(under: limit, at: now) == level.take(limit, at: now))
            if seed % 3 == 0, Bool.random(using: &random) {
                bucket.charge(under: limit, at: now)
                level.charge(limit, at: now)
            }
            #expect(bucket.deficit(under: limit, at: now) == limit.fillTime - level.level)
        }
    }

    @Test("A charge beyond the last token is owed: the next call waits for two", arguments: [1, 3])
    func charge(burst: Int) throws {
        let limit = try Self.limit(1, 1, burst)
        var bucket = TokenBucket.full
        for _ in 0..<burst { #expect(bucket.take(under: limit, at: 0) == 0) }
        bucket.charge(under: limit, at: 0)
        #expect(bucket.take(under: limit, at: 0) == 2 * Self.second)
        // It never owes more than one.
        bucket.charge(under: limit, at: 0)
        #expect(bucket.take(under: limit, at: 0) == 2 * Self.second)
        #expect(bucket.take(under: limit, at: 2 * Self.second) == 0)
        #expect(bucket.take(under: limit, at: 2 * Self.second) == Self.second)
        let decision = RateLimitDecision(wait: 0, deficit: limit.fillTime + limit.interval)
        #expect(decision.remaining(under: limit) == 0)
    }

    @Test("A limit with a shorter fill time caps the wait of an existing bucket")
    func changedLimit() throws {
        let (slow, fast) = (try Self.limit(1, 3600, 100), try Self.limit(10, 1))
        var bucket = TokenBucket.full
        for _ in 0..<100 { _ = bucket.take(under: slow, at: 0) }
        #expect(bucket.wait(under: slow, at: 0) == 3600 * Self.second)
        #expect(bucket.wait(under: fast, at: 0) == Self.second / 10)
        #expect(bucket.take(under: fast, at: Self.second / 10) == Self.second / 10)
    }

    @Test(
        "Invalid limits are rejected",
        arguments: [
            (0, 1, nil), (-1, 1, nil), (1_000_001, 1, nil), (1, 2, nil), (1, 1, 0), (1, 1, 1_000_001), (1, 3600, 721),
        ] as [(Int, Int, Int?)])
    func impossible(count: Int, period: Int, burst: Int?) {
        #expect(RateLimit(count: count, period: period, burst: burst) == nil)
    }

    @Test("Reported waits are whole seconds, rounded up, at least one")
    func seconds() throws {
        let limit = try Self.limit(4, 1, 8)
        let cases: [(wait: Int64, deficit: Int64, retry: Int, reset: Int, left: Int)] = [
            (0, 0, 1, 0, 8), (1, 1, 1, 1, 7), (1_000_000_000, 1_000_000_001, 1, 2, 3), (1_000_000_001, 0, 2, 0, 8),
            (0, 2_000_000_000, 1, 2, 0),
        ]
        for (wait, deficit, retry, reset, left) in cases {
            let decision = RateLimitDecision(wait: wait, deficit: deficit)
            #expect(decision.retryAfter == retry && decision.reset == reset)
            #expect(decision.remaining(under: limit) == left && decision.isAllowed == (wait == 0))
        }
    }
}
