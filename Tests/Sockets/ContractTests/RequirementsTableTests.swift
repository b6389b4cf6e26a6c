import Foundation
import TestSupport
import Testing

/// Compares the table of requirements with the tests that have their numbers.
@Suite struct RequirementsTableTests {
    private func matches(_ pattern: Regex<(Substring, Substring)>, in text: String) -> [String] {
        text.matches(of: pattern).map { String($0.output.1) }
    }

    @Test("Every requirement in the table has a test, and every such test is in the table")
    func table() throws {
        let folder = Repository.root.appending(path: "Tests/Unit/PresigningTests/Requirements")
        var tests: [String] = []
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            tests += matches(/@Test\(\s*"(R[1-9]\.[0-9]+ [^"]+)"/, in: try String(contentsOf: file, encoding: .utf8))
        }
        let document = try Repository.text(of: "Tests/Cases/requirements.md")
        let rows = matches(/(R[1-9]\.[0-9]+ \| [^|]+) \|/, in: document)
        #expect(rows.map { $0.replacing(" | ", with: " ", maxReplacements: 1) } == tests.sorted())
        #expect(Set(tests.map { $0.prefix(2) }).count == 7)
    }
}
