import Synchronization
import Testing

@testable import HTTPClient
@testable import Presigning
@testable import Refreshing
@testable import StorageCredentials

/// A source with scripted results that counts its fetches.
private final class ScriptedSource: CredentialSource, CredentialFetcher {
    enum Outcome { case ends(in: Int?, id: String), failure, absence }

    private let outcomes: Mutex<(next: Outcome, asked: Int)>
    private let clock: @Sendable () -> ClockReading

    init(_ first: Outcome, _ clock: @escaping @Sendable () -> ClockReading) {
        outcomes = Mutex((first, 0))
        self.clock = clock
    }

    var asked: Int { outcomes.withLock { $0.asked } }

    func setNext(_ next: Outcome) { outcomes.withLock { $0.next = next } }

    func resolve() throws(CredentialFailure) -> CredentialResolution? { .fetched(self) }

    func fetch() throws(CredentialFailure) -> Credentials {
        let outcome = outcomes.withLock {
            $0.asked += 1
            return $0.next
        }
        switch outcome {
        case .ends(let seconds, let id):
            return try Credentials(
                from: "script", id, "secret", sessionToken: "token",
                expiration: seconds.map { clock().wall.advanced(bySeconds: $0) })
        case .failure: throw CredentialFailure(source: "script", reason: "broken")
        case .absence: throw CredentialFailure(source: "script", reason: "nobody", isAbsence: true)
        }
    }
}

/// A refresher with clocks that the test controls.
private final class Fixture {
    private final class Clocks: Sendable {
        let value = Mutex(TestClocks())
        var now: ClockReading { value.withLock { $0.now } }
    }

    let source: ScriptedSource
    let slot: CurrentCredentials
    private let clocks = Clocks()

    init(_ outcome: ScriptedSource.Outcome, minRemaining: Int = 600) {
        let clocks = clocks
        source = ScriptedSource(outcome) { clocks.now }
        slot = CurrentCredentials(SelectionSource(.container, source)) { clocks.now }
        _ = slot.source.require(minRemaining)
    }

    var now: ClockReading { clocks.now }
    func step(clock seconds: Int) { clocks.value.withLock { $0.step(seconds) } }
    func pass(_ seconds: Double) { clocks.value.withLock { $0.pass(seconds) } }
    func refreshNow() { slot.refreshNow() }

    func step() -> CurrentCredentials.Step { slot.step(chance: { 0 }) }

    /// Steps like a timer for this many seconds; returns the events with their times.
    func run(_ seconds: Double) -> [(Double, CurrentCredentials.Event)] {
        var events: [(Double, CurrentCredentials.Event)] = []
        var passed = 0.0
        while true {
            let step = step()
            if let event = step.event { events.append((passed, event)) }
            let pause = step.pause.map { $0 / .seconds(1) } ?? .infinity
            guard passed + pause < seconds else {
                pass(seconds - passed)
                return events
            }
            pass(pause)
            passed += pause
        }
    }
}

@Suite("Refreshing credentials")
struct SelectionRefreshTests {
    @Test("Credentials are fetched once, reported once, and fetched again before they expire")
    func renewal() {
        let fixture = Fixture(.ends(in: 3600, id: "AKIDONE"))
        let first = fixture.step()
        #expect(first.hasChanged && fixture.slot.value?.accessKeyID == "AKIDONE")
        guard case .renewed(let renewed, replacing: nil) = first.event else {
            Issue.record("no event")
            return
        }
        #expect(renewed.accessKeyID == "AKIDONE")
        #expect(fixture.slot.lastSuccess == fixture.now.wall && fixture.slot.failures == 0)
        #expect(fixture.slot.latest?.expiration == fixture.now.wall.advanced(bySeconds: 3600))
        #expect(fixture.run(2699).isEmpty && fixture.source.asked == 1)
        fixture.source.setNext(.ends(in: 3600, id: "AKIDTWO"))
        let events = fixture.run(10)
        #expect(events.count == 1 && fixture.source.asked == 2 && fixture.slot.value?.accessKeyID == "AKIDTWO")
    }

    @Test("Unchanged credentials cause no change and no event")
    func same() {
        let fixture = Fixture(.ends(in: nil, id: "AKID"))
        #expect(fixture.step().hasChanged)
        let held = fixture.slot.value
        fixture.refreshNow()
        let step = fixture.step()
        #expect(!step.hasChanged && step.event == nil && step.pause == nil && fixture.source.asked == 2)
        #expect(fixture.slot.value === held)
    }

    @Test("After an outage longer than the credentials' lifetime, the source recovers")
    func outage() throws {
        let fixture = Fixture(.ends(in: 3600, id: "AKIDONE"))
        _ = fixture.run(2699)
        fixture.source.setNext(.failure)
        let events = fixture.run(901)
        // The old credentials stay in use until they expire; at most one log line per minute.
        let usable = events.map { if case .failed(_, let isUsable) = $0.1 { isUsable } else { false } }
        #expect(usable.filter { $0 }.count >= 4 && usable.last == false && events.count <= 16, "\(events)")
        #expect(zip(events, events.dropFirst()).allSatisfy { $1.0 - $0.0 >= 60 })
        #expect(fixture.slot.value != nil)
        let asked = fixture.source.asked
        _ = fixture.run(600)
        #expect(fixture.slot.value == nil)
        #expect(try #require(fixture.slot.latest?.expiration) < fixture.now.wall)
        #expect(10...12 ~= fixture.source.asked - asked && fixture.slot.failures > 10)
        let wait = try #require(fixture.slot.secondsToValue)
        #expect(1...61 ~= wait)
        fixture.source.setNext(.ends(in: 3600, id: "AKIDTWO"))
        let back = fixture.run(61)
        #expect(back.count == 1 && fixture.slot.value?.accessKeyID == "AKIDTWO")
        if case .renewed = back.first?.1 {} else { Issue.record("the recovery was not reported: \(back)") }
    }

    @Test("Expired and almost expired credentials count as a failure; the ones that expire later are kept")
    func tooOld() {
        let fixture = Fixture(.ends(in: 0, id: "AKIDDEAD"))
        #expect(fixture.run(5).count == 1 && fixture.slot.value == nil)
        fixture.source.setNext(.ends(in: 500, id: "AKIDSHORT"))
        _ = fixture.run(70)
        #expect(fixture.slot.value?.accessKeyID == "AKIDSHORT" && fixture.slot.lastSuccess == nil)
        fixture.source.setNext(.ends(in: 100, id: "AKIDSHORTER"))
        _ = fixture.run(70)
        #expect(fixture.slot.value?.accessKeyID == "AKIDSHORT")
        fixture.source.setNext(.ends(in: 700, id: "AKIDLONG"))
        _ = fixture.run(70)
        #expect(fixture.slot.value?.accessKeyID == "AKIDLONG" && fixture.slot.lastSuccess != nil)
    }

    @Test("Close to expiration without newer credentials, fetches are spaced out")
    func pausesBetweenFetches() {
        let fixture = Fixture(.ends(in: 605, id: "AKID"))
        _ = fixture.run(60)
        #expect(fixture.source.asked <= 60)
        fixture.source.setNext(.ends(in: 600, id: "AKID2"))
        let before = fixture.source.asked
        _ = fixture.run(600)
        #expect(fixture.source.asked - before <= 20)
    }

    @Test("Unusable credentials are reported immediately, and each kind of failure at most once a minute")
    func reportsFailures() {
        let fixture = Fixture(.ends(in: 3600, id: "AKIDONE"))
        _ = fixture.step()
        fixture.source.setNext(.failure)
        let events = fixture.run(3600)
        let failures = events.compactMap { if case .failed(_, let isUsable) = $0.1 { ($0.0, isUsable) } else { nil } }
        for kind in [true, false] {
            let times = failures.filter { $0.1 == kind }.map(\.0)
            #expect(times.count > 2 && zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 50 }, "\(times)")
            #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 <= 70 }, "\(times)")
        }
    }

    @Test("A failure after a success is reported, however soon after the last one")
    func failsAgain() {
        let fixture = Fixture(.ends(in: 3600, id: "AKIDONE"))
        _ = fixture.step()
        for _ in 0..<3 {
            fixture.source.setNext(.failure)
            fixture.refreshNow()
            guard case .failed(_, isUsable: true) = fixture.step().event else {
                Issue.record("the failure was not reported")
                return
            }
            // The same failure again is not.
            #expect(fixture.run(3).isEmpty)
            fixture.source.setNext(.ends(in: 3600, id: "AKIDONE"))
            fixture.refreshNow()
            guard case .renewed = fixture.step().event else {
                Issue.record("the success was not reported")
                return
            }
        }
    }

    @Test("If no source is configured, the reason lists what to set")
    func absence() {
        let fixture = Fixture(.absence)
        guard case .failed(let failure, isUsable: false) = fixture.step().event else {
            Issue.record("no event")
            return
        }
        #expect(failure.reason.hasPrefix("none found; set AWS_CONTAINER") && failure.reason.contains("nobody"))
    }

    @Test(
        "After the clock was set back by hours, credentials are refreshed in time and not used after they expire",
        arguments: [true, false])
    func setBack(isBroken: Bool) {
        let fixture = Fixture(.ends(in: 3600, id: "AKIDONE"))
        _ = fixture.step()
        fixture.step(clock: -36_000)
        fixture.source.setNext(isBroken ? .failure : .ends(in: 3600, id: "AKIDTWO"))
        _ = fixture.run(3611)
        #expect(fixture.slot.value?.accessKeyID == (isBroken ? nil : "AKIDTWO"))
    }

    @Test(
        "A clock set forward causes a refresh within seconds and rejects expired credentials; setting it right recovers"
    )
    func setForward() {
        let fixture = Fixture(.ends(in: 3600, id: "AKIDONE"))
        _ = fixture.step()
        fixture.step(clock: 36_000)
        fixture.source.setNext(.ends(in: 3600 - 36_000, id: "AKIDTWO"))
        _ = fixture.run(15)
        #expect(fixture.source.asked > 1 && fixture.slot.value?.accessKeyID == "AKIDONE")
        fixture.step(clock: -36_000)
        fixture.source.setNext(.ends(in: 3600, id: "AKIDTHREE"))
        _ = fixture.run(61)
        #expect(fixture.slot.value?.accessKeyID == "AKIDTHREE")
    }
}
