import TestSupport
import Testing

@testable import CallerAuthentication
@testable import DataFormats
@testable import PresignService
@testable import PresignTools

@Suite("Example configurations in config")
struct SetUpTests {
    private static func content(of name: String) throws -> [UInt8] { try Repository.bytes(of: "config/" + name) }

    @Test(
        "Each is valid; the only warnings are about placeholders for hashes of API keys",
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

    @Test("Those with an identity provider need no key file", arguments: ["web-app", "saas"])
    func keyFiles(_ name: String) throws {
        let configuration = try ServiceConfiguration(parsing: Self.content(of: name + ".yaml"), file: name)
        #expect(configuration.files.isEmpty && configuration.authentication.keySources.count == 1)
    }

    @Test(
        "Each takes the client's address from its own proxy",
        arguments: ["web-app", "saas", "ingest", "kubernetes/presign"])
    func proxy(_ name: String) throws {
        let configuration = try ServiceConfiguration(parsing: Self.content(of: name + ".yaml"), file: name)
        let proxy = try #require(configuration.authentication.proxy)
        #expect(proxy.clientAddress == Array("x-forwarded-for".utf8))
        // It needs no secret and no secret file.
        #expect(proxy.secretFile == nil && proxy.identity == nil)
    }

    @Test(
        "Each limits callers and guests, and so does `serve --local` without a file",
        arguments: ["web-app", "saas", "ingest", "kubernetes/presign", "quickstart", nil])
    func limits(_ name: String?) throws {
        let configuration = try name.map {
            try ServiceConfiguration(parsing: Self.content(of: $0 + ".yaml"), file: $0)
        }
        let limits = try (configuration ?? .local(in: "data")).limits
        #expect(limits.perCaller != nil && limits.perGuest != nil)
    }

    @Test("Each decides its rule cases as expected", arguments: ["web-app", "saas", "ingest"])
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
