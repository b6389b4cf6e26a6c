import TestSupport
import Testing

@Suite("What the fuzzers start from, and what they have found")
struct CorpusTests {
    @Test(
        "every input keeps to what must hold, whole, cut, and with a byte changed",
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
