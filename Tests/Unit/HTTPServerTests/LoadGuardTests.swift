import Testing

@testable import HTTPServer
@testable import System

@Suite("What is refused when too much comes")
struct LoadGuardTests {
    private static func time(_ milliseconds: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: milliseconds * 1_000_000)
    }

    /// Feeds turns of so many ready requests at these milliseconds; returns how many each turn let in.
    private static func admitted(_ turns: [(at: Int64, ready: Int)], limit: Int = 100) -> [Int] {
        var load = LoadGuard(limit: limit)
        return turns.map { turn in
            load.beginTurn(ready: turn.ready, at: time(turn.at))
            return (0..<turn.ready).count { _ in load.admits() }
        }
    }

    @Test("a burst is answered, a backlog that lasts is not, and after a lull all is well")
    func backlog() {
        #expect(Self.admitted([(0, 100), (50, 100), (100, 100)]) == [100, 100, 100])
        #expect(Self.admitted([(0, 500), (5, 500)]) == [500, 500])
        // By the end of the turn it would have lasted too long.
        #expect(Self.admitted([(0, 500), (9, 500)]) == [500, 100])
        #expect(Self.admitted([(0, 5000)]) == [1000])
        #expect(Self.admitted([(0, 500), (5, 3), (11, 3), (12, 3), (25, 101)]) == [500, 3, 3, 3, 101])
        #expect(Self.admitted([(0, 500), (10, 500), (11, 80), (12, 64)]) == [500, 20, 20, 20])
        // The last refusal is at 11 ms.
        #expect(Self.admitted([(0, 500), (10, 500), (11, 80), (110, 64), (111, 80)]) == [500, 20, 20, 20, 80])
        // Refusing goes on for as long as more than the limit come.
        #expect(Self.admitted([(0, 500), (10, 500), (100, 101), (199, 65), (300, 65)]) == [500, 20, 20, 20, 65])
    }

    @Test("a turn that has no room left begins a refusal by itself, however few descriptors were ready")
    func longTurn() {
        var load = LoadGuard(limit: 100)
        load.beginTurn(ready: 1, at: Self.time(0))
        // What is done in 10 ms at 10 us each.
        #expect((0..<1000).allSatisfy { _ in load.admits() } && !load.isRefusing)
        let isAdmitted = load.admits()
        #expect(!isAdmitted && load.isRefusing)
    }

    @Test("pipelined requests count, though few descriptors are ready")
    func pipelined() {
        var load = LoadGuard(limit: 100)
        for turn in 0..<3 {
            let now = Self.time(Int64(turn) * 10)
            load.beginTurn(ready: 2, at: now)
            #expect((0..<150).count { _ in load.admits() } == (turn == 2 ? 20 : 150))
        }
    }

    @Test(
        "connections that wait to be accepted count, as many of them as ask once accepted",
        arguments: [(64, true), (44, true), (43, false), (0, false)])
    func waiting(asking: Int, isTooMuch: Bool) {
        var load = LoadGuard(limit: 100)
        for turn in 0..<4 {
            load.beginTurn(ready: 1, at: Self.time(Int64(turn) * 10))
            load.expect(150, behind: 64, asking: asking)
        }
        #expect(load.isRefusing == isTooMuch)
    }

    @Test("connections that were accepted in the end count no more")
    func accepted() {
        var load = LoadGuard(limit: 100)
        load.beginTurn(ready: 1, at: Self.time(0))
        load.expect(150, behind: 64, asking: 64)
        for turn in 1..<8 { load.beginTurn(ready: 80, at: Self.time(Int64(turn) * 10)) }
        #expect(!load.isRefusing)
    }

    @Test(
        "who is ready and asks nothing does not count: thousands of idle connections may end at once",
        arguments: [(150, true), (101, true), (100, false), (0, false)])
    func ends(asking: Int, isTooMuch: Bool) {
        var load = LoadGuard(limit: 100)
        for turn in 0..<4 {
            load.beginTurn(ready: 1025, at: Self.time(Int64(turn) * 10))
            for _ in 0..<asking { _ = load.admits() }
        }
        #expect(load.isRefusing == isTooMuch)
    }

    @Test("once a burst is over, a load that never began a refusal does not keep one going; who is paused is not gone")
    func recovery() {
        for (paused, goesOn) in [(0, false), (400, false), (1000, true)] {
            var load = LoadGuard(limit: 1024)
            for turn in 0..<2 {
                load.beginTurn(ready: 1025, at: Self.time(Int64(turn * 10)))
                for _ in 0..<1025 { _ = load.admits() }
            }
            #expect(load.isRefusing)
            for turn in 0..<100 {
                load.beginTurn(ready: 100, paused: paused, at: Self.time(Int64(20 + turn * 10)))
                for _ in 0..<100 { _ = load.admits() }
            }
            #expect(load.isRefusing == goesOn)
        }
    }

    @Test(
        "refusing goes on while more comes than can be done, however few wait at a time",
        arguments: [
            (100, true), (25, true), (20, false), (1, false),
        ])
    func demand(perTurn: Int, goesOn: Bool) {
        var load = LoadGuard(limit: 100)
        load.beginTurn(ready: 500, at: Self.time(0))
        for _ in 0..<500 { _ = load.admits() }
        #expect(load.isTelling)
        // 400 us each: 25 of them in each turn of 10 ms are all that can be done.
        for _ in 0..<200 { load.learn(at: Self.time(200)) }
        load.beginTurn(ready: 500, at: Self.time(200))
        for turn in 0..<30 {
            load.beginTurn(ready: perTurn, at: Self.time(Int64(210 + turn * 10)))
            #expect((0..<perTurn).count { _ in load.admits() } <= max(4, load.isRefusing ? 4 : perTurn))
        }
        #expect(load.isRefusing == goesOn)
    }

    @Test("a cost that was believed too high is found out, though some are refused in every turn")
    func stall() {
        var load = LoadGuard(limit: 1024)
        load.beginTurn(ready: 16, at: Self.time(0))
        for _ in 0..<16 { _ = load.admits() }
        load.learn(at: Self.time(800))
        for turn in 0..<3 {
            load.beginTurn(ready: 1025, at: Self.time(Int64(800 + turn * 20)))
            for _ in 0..<1100 { _ = load.admits() }
            _ = load.takeRefused()
        }
        #expect(load.isRefusing)
        // 16 pipelined on one connection every 10 ms, which take 20 us each: a load of 3 %.
        for turn in 0..<30 {
            let began = Self.time(Int64(900 + turn * 10))
            load.beginTurn(ready: 1, at: began)
            for _ in 0..<16 { _ = load.admits() }
            if load.isTelling { load.learn(at: began + TimeSpan(.microseconds(320))) }
            _ = load.takeRefused()
        }
        #expect(!load.isRefusing)
    }

    @Test("what a request costs is learned from turns, a slow one is believed slowly")
    func cost() {
        var cost = RequestCost()
        #expect(cost.time(for: 3) == 30_000)
        cost.note(0, took: 1)
        cost.note(10, took: 900_000)
        #expect(cost.time(for: 1) == 20_000)
        cost.note(10, took: 100_000)
        #expect(cost.time(for: 1) == 15_000)
        for _ in 0..<100 { cost.note(1000, took: 0) }
        #expect(cost.time(for: .max) == .max)
        #expect(cost.count(in: TimeSpan(.microseconds(200)), within: 4...64) == 64)
        for _ in 0..<100 { cost.note(1, took: 1_000_000_000) }
        #expect(cost.count(in: TimeSpan(.microseconds(200)), within: 4...64) == 4)
    }

    @Test("deferred requests have a strict limit, and what was refused is told once")
    func deferred() {
        var load = LoadGuard(limit: 2)
        load.beginTurn(ready: 1, at: Self.time(0))
        load.deferred = 2
        let whileFull = load.admits()
        load.deferred = 1
        let afterwards = load.admits()
        #expect(!whileFull && afterwards)
        let (refused, again) = (load.takeRefused(), load.takeRefused())
        #expect(refused == 1 && again == 0)
    }

    @Test("limits above what one turn can see still end a backlog")
    func largeLimit() {
        #expect(Self.admitted([(0, 1025), (10, 1025)], limit: 1_000_000) == [1025, 20])
    }
}
