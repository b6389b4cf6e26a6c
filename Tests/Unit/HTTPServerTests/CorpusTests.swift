import TestSupport
import Testing

@Suite("HTTP fuzzing corpus")
struct CorpusTests {
    @Test("Every corpus input passes its check: whole, truncated, and with one byte changed")
    func corpus() throws {
        let inputs = try FuzzCorpus.inputs(of: "HTTP")
        #expect(inputs.count >= 5)
        var random = SeededGenerator(seed: 2026)
        for (file, bytes) in inputs {
            #expect(try fault(ofFuzzed: bytes) == nil, "\(file)")
            for variant in FuzzCorpus.variants(of: bytes, using: &random) {
                #expect(try fault(ofFuzzed: variant) == nil, "\(file) as \(variant)")
            }
        }
    }
}
