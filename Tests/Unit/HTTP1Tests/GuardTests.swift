import Testing

@testable import HTTP1
@testable import HTTP1TestSupport

@Suite("Request parser: no read beyond the input")
struct GuardTests {
    @Test("Every prefix of every case of the table, before an unmapped page")
    func table() throws {
        let guarded = try #require(GuardedInput(capacity: 1 << 16))
        for input in MessageTable.all.map({ Array($0.utf8) }) {
            #expect(guarded.parse(input, limits: HTTPLimits()).count == input.count + 1)
        }
    }

    @Test("Every prefix of generated messages; the last result is that of the whole input", arguments: 0..<8)
    func generated(seed: UInt64) throws {
        let guarded = try #require(GuardedInput(capacity: 1 << 16))
        var generator = RequestGenerator(seed: seed + 5000)
        for _ in 0..<100 {
            let input = generator.next()
            let verdicts = guarded.parse(input, limits: .tight)
            let first = events(input, limits: .tight).first
            let isRefused = if case .failure? = first { true } else { false }
            guard !input.starts(with: [13, 10]) else { continue }
            let last = try #require(verdicts.last)
            #expect(last.hasPrefix("message") == (first != nil && !isRefused), "\(text(input).debugDescription)")
        }
    }
}
