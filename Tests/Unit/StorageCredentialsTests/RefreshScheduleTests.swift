import Testing

@testable import Presigning
@testable import Refreshing
@testable import StorageCredentials

/// Two clocks that a test controls.
struct TestClocks {
    var now = ClockReading(wall: SigningTime(secondsSince1970: 1_800_000_000), uptime: .seconds(1000))

    /// Advances both clocks.
    mutating func pass(_ seconds: Double) {
        now.uptime += .seconds(seconds)
        rest += seconds
        step(Int(rest))
        rest -= Double(Int(rest))
    }
    /// The elapsed fraction of the wall clock's current second.
    private var rest = 0.0

    /// Sets the wall clock.
    mutating func step(_ seconds: Int) { now.wall = now.wall.advanced(bySeconds: seconds) }
}

extension RefreshSchedule {
    /// Records that credentials with this expiration were fetched.
    fileprivate mutating func succeeded(
        until end: SigningTime?, at now: ClockReading, jitter: Double, minRemaining: Int = 600
    ) {
        began(at: now)
        let lifetime = end.map {
            SelectionSource.lifetime(seconds: Double(now.wall.seconds(until: $0)), minRemaining: Double(minRemaining))
        }
        succeeded(lifetime, at: now, jitter: jitter)
    }

    fileprivate mutating func fails(at now: ClockReading, jitter: Double) {
        began(at: now)
        failed(at: now, jitter: jitter)
    }
}

@Suite("Refresh schedule")
struct RefreshScheduleTests {
    private func secondsToRefresh(_ schedule: RefreshSchedule, _ clocks: TestClocks) -> Double? {
        schedule.secondsToRefresh(at: clocks.now)
    }

    private func secondsToLook(_ schedule: RefreshSchedule, _ clocks: TestClocks) -> Double? {
        schedule.timeToNextCheck(at: clocks.now).map { $0 / .seconds(1) }
    }

    @Test("The first refresh is due immediately; credentials that do not expire are never refreshed")
    func first() {
        var schedule = RefreshSchedule()
        let clocks = TestClocks()
        #expect(secondsToRefresh(schedule, clocks) == 0)
        schedule.succeeded(until: nil, at: clocks.now, jitter: 0)
        #expect(secondsToRefresh(schedule, clocks) == nil && secondsToLook(schedule, clocks) == nil)
        schedule.want(after: 0)
        #expect(secondsToRefresh(schedule, clocks) == 0)
    }

    @Test(
        "A refresh is due 15 minutes before the expiration, or halfway to minRemaining",
        arguments: [
            (21_600, 600, 20_700.0), (3600, 600, 2700), (3600, 1800, 1800), (1800, 600, 900), (1200, 600, 300),
            (900, 600, 150), (660, 600, 30), (601, 600, 1), (600, 600, 1), (10, 0, 5), (8, 1, 3.5), (1, 0, 1),
        ])
    func ahead(life: Int, minRemaining: Int, expected: Double) throws {
        let clocks = TestClocks()
        for jitter in [0, 0.5, 0.999] {
            var schedule = RefreshSchedule()
            schedule.succeeded(
                until: clocks.now.wall.advanced(bySeconds: life), at: clocks.now, jitter: jitter,
                minRemaining: minRemaining)
            let found = try #require(secondsToRefresh(schedule, clocks))
            #expect(abs(found - expected * (1 - jitter / 10)) < 0.001)
        }
    }

    @Test("Retries double their pause up to a minute; a success resets it")
    func pauses() throws {
        var schedule = RefreshSchedule()
        var clocks = TestClocks()
        for round in 0..<2 {
            for expected in [1.0, 2, 4, 8, 16, 32, 60, 60, 60] {
                schedule.fails(at: clocks.now, jitter: Double(round) / 2)
                let pause = try #require(secondsToRefresh(schedule, clocks))
                #expect(abs(pause - expected * (1 - Double(round) / 20)) < 0.001)
                clocks.pass(pause + 0.001)
                #expect(try #require(secondsToRefresh(schedule, clocks)) <= 0)
            }
            schedule.succeeded(until: nil, at: clocks.now, jitter: 0)
        }
    }

    @Test(
        "Setting the wall clock in either direction delays no refresh",
        arguments: [-86_400, -600, -60, 60, 600, 86_400])
    func steps(step: Int) throws {
        var schedule = RefreshSchedule()
        var clocks = TestClocks()
        schedule.succeeded(until: clocks.now.wall.advanced(bySeconds: 3600), at: clocks.now, jitter: 0)
        clocks.pass(1000)
        clocks.step(step)
        let left = try #require(secondsToRefresh(schedule, clocks))
        #expect(left == (step < 0 ? 1700 : 1700 - Double(step)))
        // The schedule checks the clocks often enough to notice.
        #expect(try #require(secondsToLook(schedule, clocks)) <= 10)
        clocks.pass(1700)
        #expect(try #require(secondsToRefresh(schedule, clocks)) <= 0)
    }

    @Test(
        "Credentials fetched with a wrong clock are refreshed in time after it is corrected", arguments: [-3600, 3600])
    func setRight(error: Int) throws {
        var schedule = RefreshSchedule()
        var clocks = TestClocks()
        let end = clocks.now.wall.advanced(bySeconds: 7200)
        clocks.step(error)
        schedule.succeeded(until: end, at: clocks.now, jitter: 0)
        clocks.step(-error)
        clocks.pass(6301)
        #expect(try #require(secondsToRefresh(schedule, clocks)) <= 0)
    }

    @Test("Setting the clock back does not extend credentials; retries use the monotonic clock")
    func ended() throws {
        var schedule = RefreshSchedule()
        var clocks = TestClocks()
        #expect(!schedule.hasEnded(at: clocks.now))
        schedule.succeeded(until: clocks.now.wall.advanced(bySeconds: 3600), at: clocks.now, jitter: 0)
        clocks.pass(2700)
        schedule.fails(at: clocks.now, jitter: 0)
        clocks.step(-7200)
        clocks.pass(899)
        #expect(!schedule.hasEnded(at: clocks.now))
        #expect(try #require(secondsToRefresh(schedule, clocks)) <= 0)
        clocks.pass(1)
        #expect(schedule.hasEnded(at: clocks.now))
    }

    @Test("While credentials have an expiration, the clocks are checked at least every ten seconds")
    func looks() throws {
        var schedule = RefreshSchedule()
        let clocks = TestClocks()
        for _ in 0..<7 { schedule.fails(at: clocks.now, jitter: 0) }
        #expect(secondsToLook(schedule, clocks) == 60)
        schedule.succeeded(until: clocks.now.wall.advanced(bySeconds: 3600), at: clocks.now, jitter: 0)
        #expect(secondsToLook(schedule, clocks) == 10)
        for _ in 0..<7 { schedule.fails(at: clocks.now, jitter: 0) }
        #expect(secondsToLook(schedule, clocks) == 10)
    }
}
