import Testing

@testable import PresignClient

@Suite("How many uploads send at the same time")
struct SendLimitTests {
    /// Sends for a number of seconds. The rate follows from the number of connections, in bytes per second.
    private func send(
        _ limit: inout SendLimit, from start: Int = 0, seconds: Int, isReached: Bool = true, _ rate: (Int) -> Double
    ) -> [Int] {
        let origin = ContinuousClock.now
        var (counts, begun) = ([Int](), 0)
        for tick in start * 100..<(start + seconds) * 100 {
            // Each connection that is new sends its first bytes.
            for _ in begun..<max(begun, limit.count) {
                limit.add(1, isFirst: true, isReached: isReached, origin + .milliseconds(10 * tick))
            }
            begun = limit.count
            let bytes = Int64(rate(limit.count) / 100)
            limit.add(bytes, isFirst: false, isReached: isReached, origin + .milliseconds(10 * tick))
            if counts.last != limit.count { counts.append(limit.count) }
        }
        return counts
    }

    @Test(
        "it grows while more connections send more bytes",
        arguments: [
            (6, 2_000_000.0, Double.infinity, [2, 4, 6]), (5, 2_000_000, .infinity, [2, 4, 5]),
            (1, 2_000_000, .infinity, [1]), (6, 2_000_000, 4_000_000, [2, 4, 2]),
            (6, 2_000_000, 8_000_000, [2, 4, 6, 4]), (6, 100_000, 100_000, [2, 4, 2]),
        ])
    func growth(most: Int, connection: Double, line: Double, counts: [Int]) {
        var limit = SendLimit(most: most)
        #expect(send(&limit, seconds: 30) { min(Double($0) * connection, line) }.prefix(counts.count) == counts[...])
    }

    @Test("it tries again every 10 seconds")
    func again() {
        var limit = SendLimit(most: 6)
        #expect(send(&limit, seconds: 10) { _ in 4_000_000 } == [2, 4, 2])
        #expect(send(&limit, from: 10, seconds: 10) { 4_000_000 * Double($0) }.last == 6)
    }

    @Test("it grows with small files too")
    func smallFiles() {
        var limit = SendLimit(most: 6)
        var now = ContinuousClock.now
        for _ in 0..<60 {
            limit.add(3, isFirst: true, isReached: true, now)
            now += .milliseconds(200) / limit.count
        }
        #expect(limit.count == 6)
    }

    @Test("it does not grow while no upload waits for its turn")
    func idle() {
        var limit = SendLimit(most: 6)
        #expect(send(&limit, seconds: 30, isReached: false) { 4_000_000 * Double($0) } == [2])
    }
}
