import Foundation
import Testing

@testable import PresignService

@Suite("The set-ups in config")
struct SetUpTests {
    private static func content(of name: String) throws -> [UInt8] {
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return Array(try Data(contentsOf: root.appending(path: "config/" + name)))
    }

    @Test("are valid, and nothing in them is warned of", arguments: ["web-app", "saas", "ingest"])
    func valid(_ name: String) throws {
        let configuration = try ServiceConfiguration(parsing: Self.content(of: name + ".yaml"), file: name)
        #expect(configuration.warnings.isEmpty, "\(configuration.warnings)")
        #expect(configuration.hasCallers)
    }

    @Test("decide as their cases say", arguments: ["web-app", "saas", "ingest"])
    func cases(_ name: String) throws {
        let tests = try RuleTestFile(parsing: Self.content(of: name + ".test.yaml"), file: name)
        #expect(tests.configuration == name + ".yaml" && tests.cases.count >= 9)
        let rules = try PolicyFile(parsing: Self.content(of: name + ".yaml"), file: name)
        for test in tests.cases {
            let differences = test.differences(from: rules.verdict(on: test.request))
            #expect(differences.isEmpty, "\(test.title): \(differences)")
        }
    }
}
