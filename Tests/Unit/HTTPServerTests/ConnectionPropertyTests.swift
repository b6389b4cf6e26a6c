import TestSupport
import Testing

@testable import HTTP1
@testable import HTTP1TestSupport

@Suite("Connection: properties of every input")
struct ConnectionPropertyTests {
    @Test(
        "Splitting a case of the table anywhere does not change the result",
        arguments: ConnectionRun.BodyHandling.allCases)
    func splits(_ bodyHandling: ConnectionRun.BodyHandling) throws {
        for input in MessageTable.all.map({ Array($0.utf8) }) where input.count < 300 {
            let cuts = (1...input.count).map { [$0] } + [Array(repeating: 1, count: input.count)]
            let found = try fault(input, pieces: cuts, bodyHandling: bodyHandling, limits: HTTPLimits())
            #expect(found == nil)
        }
    }

    @Test(
        "Inputs found by the fuzzer", arguments: ["\n\nHEAD / \u{1}", "OPTIONS http://a HTTP/1.1\r\nHost: b\r\n\r\n"])
    func found(_ input: String) throws {
        let input = Array(input.utf8)
        let cuts = (1...input.count).map { [$0] }
        let found = try fault(input, pieces: cuts, bodyHandling: .reads, limits: HTTPLimits())
        #expect(found == nil)
    }

    @Test("Splitting generated messages at random does not change the result", arguments: 0..<16)
    func generated(seed: UInt64) throws {
        var generator = RequestGenerator(seed: seed + 1000)
        var random = SeededGenerator(seed: seed)
        for round in 0..<250 {
            let input = generator.next()
            let cuts = [(0..<input.count).map { _ in Int.random(in: 1...40, using: &random) }]
            let bodyHandling = ConnectionRun.BodyHandling.allCases[round % 3]
            let limits = round % 2 == 0 ? HTTPLimits() : HTTPLimits.tight
            let found = try fault(input, pieces: cuts, bodyHandling: bodyHandling, limits: limits)
            #expect(found == nil)
        }
    }
}
