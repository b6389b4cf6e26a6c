import Presigning
import Testing

@testable import CallerAuthentication
@testable import Refreshing

extension RefreshSchedule {
    fileprivate mutating func succeeded(
        freshFor: Int?, maxStale: Int = 86_400, at now: ClockReading, jitter: Double
    ) {
        succeeded(IssuerKeySource.lifetime(freshFor: freshFor, maxStale: maxStale), at: now, jitter: jitter)
    }

    fileprivate func secondsToFetch(at now: ClockReading) -> Double { secondsToRefresh(at: now) ?? .infinity }
}

@Suite("When an issuer's keys are fetched")
struct IssuerKeyScheduleTests {
    /// A time in seconds after the start, by both clocks or by the wall clock alone.
    private static func time(_ seconds: Double, wallIsAheadBy ahead: Int = 0) -> ClockReading {
        ClockReading(
            wall: SigningTime(secondsSince1970: 1_800_000_000 + Int64(seconds) + Int64(ahead)),
            uptime: .seconds(1000 + seconds))
    }

    /// A schedule with a set that was fetched at 0.
    private static func fetched(freshFor: Int?, maxStale: Int = 86_400, jitter: Double = 0) -> RefreshSchedule {
        var schedule = RefreshSchedule()
        schedule.began(at: time(0))
        schedule.succeeded(freshFor: freshFor, maxStale: maxStale, at: time(0), jitter: jitter)
        return schedule
    }

    @Test("The first fetch is due at once")
    func first() {
        let schedule = RefreshSchedule()
        #expect(schedule.secondsToFetch(at: Self.time(0)) == 0)
        #expect(!schedule.hasEnded(at: Self.time(1e6)))
    }

    @Test(
        "A set is fetched again after 80 % of the time that Cache-Control allows, within bounds and half of maxStale",
        arguments: [
            (nil, 86_400, 2880.0), (0, 86_400, 240), (15, 86_400, 240), (600, 86_400, 480), (21_600, 86_400, 17_280),
            (86_400, 86_400, 17_280), (.max, 86_400, 17_280), (86_400, 3600, 1440),
        ] as [(Int?, Int, Double)])
    func lifetime(freshFor: Int?, maxStale: Int, expected: Double) {
        let schedule = Self.fetched(freshFor: freshFor, maxStale: maxStale)
        #expect(schedule.secondsToFetch(at: Self.time(0)) == expected)
        let early = Self.fetched(freshFor: freshFor, maxStale: maxStale, jitter: 0.999)
        #expect(early.secondsToFetch(at: Self.time(0)) < expected * 0.91)
        #expect(schedule.timeToNextCheck(at: Self.time(0)) == .seconds(10))
        #expect(schedule.timeToNextCheck(at: Self.time(expected)) == .milliseconds(10))
    }

    @Test("Failed fetches are retried after 1, 2, 4, ... 60 seconds; a success ends that")
    func retries() {
        var schedule = Self.fetched(freshFor: 600)
        var now = 480.0
        for delay in [1.0, 2, 4, 8, 16, 32, 60, 60] {
            schedule.began(at: Self.time(now))
            schedule.failed(at: Self.time(now), jitter: 0)
            #expect(schedule.secondsToFetch(at: Self.time(now)) == delay)
            now += delay
        }
        schedule.began(at: Self.time(now))
        schedule.succeeded(freshFor: 600, at: Self.time(now), jitter: 0)
        #expect(schedule.secondsToFetch(at: Self.time(now)) == 480)
    }

    @Test("A set is too old at maxStale after its fetch, by the clock that advanced more")
    func age() {
        var schedule = Self.fetched(freshFor: 600)
        schedule.began(at: Self.time(480))
        schedule.failed(at: Self.time(480), jitter: 0)
        #expect(!schedule.hasEnded(at: Self.time(86_399)))
        #expect(schedule.hasEnded(at: Self.time(86_400)))
        // A suspended machine stops the monotonic clock.
        #expect(schedule.hasEnded(at: Self.time(1000, wallIsAheadBy: 85_400)))
        #expect(!schedule.hasEnded(at: Self.time(1000, wallIsAheadBy: -85_400)))
        #expect(schedule.hasEnded(at: Self.time(86_400, wallIsAheadBy: -1_000_000)))
    }

    @Test("An unknown key id makes a fetch due, 30 seconds after the last one at the earliest")
    func unknownKey() {
        var schedule = Self.fetched(freshFor: nil)
        // The set is new: the issuer has no such key.
        #expect(schedule.missedKey(at: Self.time(29), mayWait: false) == nil)
        #expect(schedule.secondsToFetch(at: Self.time(29)) > 2000)
        #expect(schedule.missedKey(at: Self.time(31), mayWait: false) == 1)
        #expect(schedule.secondsToFetch(at: Self.time(31)) <= 0)
        schedule.began(at: Self.time(31))
        #expect(schedule.missedKey(at: Self.time(32), mayWait: false) == 1)
        schedule.succeeded(freshFor: nil, at: Self.time(33), jitter: 0)
        // Tokens that came during the fetch do not cause another one.
        #expect(schedule.secondsToFetch(at: Self.time(33)) == 2880)
        #expect(schedule.missedKey(at: Self.time(34), mayWait: false) == nil)
    }

    @Test(
        "An unknown key id that may wait, waits until 30 seconds after the last fetch",
        arguments: [(0.5, 30), (1, 30), (14, 17), (29, 2), (29.9, 1)])
    func waiting(age: Double, retryAfter: Int) {
        var schedule = Self.fetched(freshFor: nil)
        #expect(schedule.missedKey(at: Self.time(age), mayWait: true) == retryAfter)
        #expect(abs(schedule.secondsToFetch(at: Self.time(age)) - (30 - age)) < 0.001)
    }

    @Test("While fetches fail, unknown key ids do not make them more frequent, and get no definite answer")
    func unknownKeyDuringFailure() {
        var schedule = Self.fetched(freshFor: nil)
        var (now, fetches) = (2880.0, 0)
        while now < 2880 + 3600 {
            #expect(schedule.missedKey(at: Self.time(now), mayWait: false) != nil)
            if schedule.secondsToFetch(at: Self.time(now)) <= 0 {
                fetches += 1
                schedule.began(at: Self.time(now))
                schedule.failed(at: Self.time(now), jitter: 0)
            }
            now += 1
        }
        // One each 30 seconds, and the first retries.
        #expect(fetches <= 3600 / 30 + 6)
    }

    @Test("Any number of unknown key ids causes at most one fetch in 30 seconds")
    func flood() {
        var schedule = Self.fetched(freshFor: 86_400)
        var fetches = 0
        for second in 0..<3600 {
            let now = Self.time(Double(second))
            for _ in 0..<10 { _ = schedule.missedKey(at: now, mayWait: second.isMultiple(of: 2)) }
            guard schedule.secondsToFetch(at: now) <= 0 else { continue }
            fetches += 1
            schedule.began(at: now)
            schedule.succeeded(freshFor: 86_400, at: now, jitter: 0)
        }
        #expect(fetches <= 120)
    }
}
