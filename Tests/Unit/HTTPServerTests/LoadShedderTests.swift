import Testing

@testable import HTTPServer
@testable import System

@Suite("Load shedding")
struct LoadShedderTests {
    private static func time(_ microseconds: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: microseconds * 1000)
    }

    private static func shedder(limit: Int = 1000) -> LoadShedder {
        LoadShedder(limit: limit, delay: .milliseconds(10))
    }

    /// Runs iterations in which requests are reached at these times, in microseconds.
    private static func admitted(_ iterations: [[Int64]]) -> [[Bool]] {
        var load = shedder()
        return iterations.map { times in
            load.beginIteration()
            return times.map { load.admits(at: time($0)) }
        }
    }

    @Test(
        "a late iteration serves all of its requests; the next one sheds what a tenth of the delay is too short for")
    func late() {
        #expect(
            Self.admitted([[0, 9_999, 10_000, 20_000], [21_000, 21_999, 22_000, 22_600]])
                == [[true, true, true, true], [true, true, false, false]])
        #expect(Self.admitted([[0, 9_999], [15_000, 24_999], [30_000, 31_000]]).allSatisfy { $0 == [true, true] })
    }

    @Test("a loop sheds load until an iteration has nothing to shed")
    func end() {
        let late: [Int64] = [0, 10_000]
        #expect(
            Self.admitted([late, [11_000, 12_000], [14_000, 14_999], [17_000, 26_999]])
                == [[true, true], [true, false], [true, true], [true, true]])
        #expect(Self.admitted([late, [], [11_500, 21_499]]) == [[true, true], [], [true, true]])
    }

    @Test("The limit of deferred requests is strict and does not shorten the next iteration")
    func deferred() {
        var load = Self.shedder(limit: 2)
        load.beginIteration()
        load.deferred = 2
        let full = load.admits(at: Self.time(0))
        load.deferred = 1
        let again = load.admits(at: Self.time(0))
        load.beginIteration()
        let (first, late) = (load.admits(at: Self.time(10_000)), load.admits(at: Self.time(19_999)))
        #expect(!full && again && first && late)
    }

    @Test("Rejected requests are reported once")
    func refused() {
        var load = Self.shedder()
        load.refuse()
        load.refuse()
        let (refused, again) = (load.takeRefused(), load.takeRefused())
        #expect(refused == 2 && again == 0)
    }

    /// A loop that takes 100 µs to serve a request and 5 µs to shed it, with requests at a constant rate. All times are
    /// in microseconds.
    private struct Simulation {
        private static let (serving, shedding): (Int64, Int64) = (100, 5)
        private var load = LoadShedderTests.shedder()
        private var now: Int64 = 0
        private var due: Int64 = 0

        /// Runs for one second at this multiple of the loop's capacity.
        mutating func run(_ factor: Double) -> (served: Int, shed: Int, longest: Int64, lastShed: Int64) {
            var report = (served: 0, shed: 0, longest: Int64(0), lastShed: Int64(0))
            let (start, interval) = (now, Int64(Double(Self.serving) / factor))
            while now < start + 1_000_000 {
                now = max(now, due)
                let ready = Array(stride(from: due, through: now, by: Int64.Stride(interval)))
                due += Int64(ready.count) * interval
                load.beginIteration()
                for arrival in ready {
                    let isServed = load.admits(at: LoadShedderTests.time(now))
                    now += isServed ? Self.serving : Self.shedding
                    if isServed {
                        report.served += 1
                        report.longest = max(report.longest, now - arrival)
                    } else {
                        report.shed += 1
                        report.lastShed = now - start
                    }
                }
            }
            return report
        }
    }

    @Test(
        "Under overload most of the capacity serves requests, none waits long, and shedding ends with the overload",
        arguments: [1.2, 2, 3, 5])
    func overload(factor: Double) {
        var loop = Simulation()
        #expect(loop.run(0.5).shed == 0)
        let loaded = loop.run(factor)
        // The late iteration serves what arrived during the one before it.
        #expect(loaded.shed > 0 && loaded.served > 7_500 && loaded.longest < Int64(10_000 * (factor + 1)))
        // The beginning is over: from now on requests wait for two short iterations at most.
        let later = loop.run(factor)
        #expect(later.served > 7_500 && later.longest < 6_000)
        #expect(loop.run(0.5).lastShed < 50_000)
        #expect(loop.run(0.9).shed == 0)
    }
}
