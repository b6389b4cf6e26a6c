import Foundation
import Testing

@testable import PresignService

@Suite("What the fuzzers start from, and what they have found")
struct CorpusTests {
    private static func corpus(_ name: String) throws -> [(name: String, bytes: [UInt8])] {
        var root = URL(filePath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        let folder = root.appending(path: "Fuzzers/Corpus/\(name)")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
            ($0, Array(try Data(contentsOf: folder.appending(path: $0))))
        }
    }

    @Test(
        "every input keeps to what must hold, whole, cut, and with a byte changed",
        arguments: InputCheck.all.map(\.name))
    func corpus(name: String) throws {
        let check = try #require(InputCheck.named(name))
        let inputs = try Self.corpus(name)
        #expect(inputs.count >= 5)
        var generator = SeededGenerator(state: 2026)
        for (file, bytes) in inputs {
            #expect(check.fault(bytes) == nil, "\(name)/\(file)")
            for count in bytes.indices {
                #expect(check.fault(Array(bytes[..<count])) == nil, "\(file) cut at \(count)")
            }
            for index in bytes.indices {
                var changed = bytes
                changed[index] = .random(in: 0...255, using: &generator)
                #expect(check.fault(changed) == nil, "\(file) with \(changed[index]) at \(index)")
            }
        }
    }
}
