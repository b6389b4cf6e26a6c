import TestSupport
import Testing

@testable import CallerAuthentication
@testable import ConfigurationReading
@testable import PresignService
@testable import PresignTools

@Suite("The set-ups in config")
struct SetUpTests {
    private static func content(of name: String) throws -> [UInt8] { try Repository.bytes(of: "config/" + name) }

    @Test(
        "are valid; the only warnings are about placeholders for hashes of API keys",
        arguments: [("web-app", 0), ("saas", 1), ("ingest", 4), ("presign", 1), ("kubernetes/presign", 1)])
    func valid(_ name: String, _ placeholders: Int) throws {
        let configuration = try ServiceConfiguration(parsing: Self.content(of: name + ".yaml"), file: name)
        #expect(configuration.warnings.count == placeholders)
        for warning in configuration.warnings {
            #expect(warning.description.contains("is a placeholder, so no key matches it; run `presign key new "))
        }
        let hashes = configuration.authentication.apiKeys.flatMap(\.digests)
        #expect(hashes.count == placeholders && configuration.hasCallers)
    }

    @Test(
        "take the client's address from the proxy that each of them expects",
        arguments: ["web-app", "saas", "ingest", "kubernetes/presign"])
    func proxy(_ name: String) throws {
        let configuration = try ServiceConfiguration(parsing: Self.content(of: name + ".yaml"), file: name)
        let proxy = try #require(configuration.authentication.proxy)
        #expect(proxy.clientAddress == Array("x-forwarded-for".utf8))
        // It needs neither a secret nor a file for one.
        #expect(proxy.secretFile == nil && proxy.identity == nil)
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
