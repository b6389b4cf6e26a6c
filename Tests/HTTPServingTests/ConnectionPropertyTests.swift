import Testing

@testable import HTTPServing

@Suite("Connection: what holds for every input")
struct ConnectionPropertyTests {
    /// Runs `input` whole and in `pieces`; what differs, or breaks a rule that holds for every input.
    static func fault(
        _ input: [UInt8], pieces: [[Int]], manner: ConnectionRun.Manner, limits: HTTPLimits
    ) throws -> String? {
        let whole = try ConnectionRun(input, manner: manner, limits: limits)
        if let fault = whole.fault { return "\(text(input).debugDescription): \(fault)" }
        // Whether 100 (Continue) is sent, and a refusal closes, rests by design on what had come with the head.
        if text(input).lowercased().contains("expect") { return nil }
        for piece in pieces {
            let split = try ConnectionRun(input, pieces: piece, manner: manner, limits: limits)
            if split != whole { return "\(text(input).debugDescription) cut at \(piece): \(split), but \(whole)" }
        }
        return nil
    }

    @Test("Cut at every byte and byte by byte, every case of the table", arguments: ConnectionRun.Manner.allCases)
    func splits(_ manner: ConnectionRun.Manner) throws {
        for input in DifferentialTests.table.map({ Array($0.utf8) }) where input.count < 300 {
            let cuts = (1...input.count).map { [$0] } + [Array(repeating: 1, count: input.count)]
            let fault = try Self.fault(input, pieces: cuts, manner: manner, limits: HTTPLimits())
            #expect(fault == nil)
        }
    }

    @Test("Generated messages, cut at random", arguments: 0..<16)
    func generated(seed: UInt64) throws {
        var generator = RequestGenerator(seed: seed + 1000)
        var random = SplitMix(seed: seed)
        for round in 0..<250 {
            let input = generator.next()
            let cuts = [(0..<input.count).map { _ in Int.random(in: 1...40, using: &random) }]
            let manner = ConnectionRun.Manner.allCases[round % 3]
            let limits = round % 2 == 0 ? HTTPLimits() : DifferentialTests.tight
            let fault = try Self.fault(input, pieces: cuts, manner: manner, limits: limits)
            #expect(fault == nil)
        }
    }
}
