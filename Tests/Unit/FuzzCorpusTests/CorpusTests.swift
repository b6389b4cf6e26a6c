import TestSupport
import Testing

@Suite("Fuzzing corpora")
struct CorpusTests {
    @Test(
        "Every corpus input passes its check: whole, truncated, and with one byte changed",
        arguments: InputCheck.all.map(\.name))
    func corpus(name: String) throws {
        let check = try #require(InputCheck.named(name))
        let inputs = try FuzzCorpus.inputs(of: name)
        #expect(inputs.count >= 5)
        var random = SeededGenerator(seed: 2026)
        for (file, bytes) in inputs {
            #expect(check.fault(bytes) == nil, "\(name)/\(file)")
            for variant in FuzzCorpus.variants(of: bytes, using: &random) {
                #expect(check.fault(variant) == nil, "\(file) as \(variant)")
            }
        }
    }
}
