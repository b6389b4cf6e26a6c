import Presigning
import Requests
import Testing

@testable import AccessRules
@testable import AccessRulesTestSupport
@testable import PresignService
@testable import PresignTools

@Suite("Windows of cache-stable URLs in explanations and rule tests")
struct WindowVerdictTests {
    private static let configuration = """
        version: 1
        stores: {media: {bucket: acme-media, region: eu-west-1, expires: {window: 15m}}}
        auth: {guest: true}
        rules:
          - {path: a/**, allow: {everyone: [get, write]}}
          - {path: b/**, allow: {everyone: [get]}, expires: {window: 0s}}
        """
    private static let rulesOnly = """
        stores: {media: {bucket: acme-media, region: eu-west-1, expires: {window: 15m}}}
        rules: [{path: a/**, allow: {everyone: [get, write]}}, {path: b/*, allow: {everyone: [get]}, expires: {window: 0s}}]
        """

    @Test("explain shows the window of a download", arguments: [configuration, rulesOnly])
    func explanation(yaml: String) throws {
        let file = try PolicyFile(parsing: Array((yaml + "\n").utf8), file: "p")
        func lines(_ path: String, _ action: AccessAction, expiresIn: Int64? = nil) -> [String] {
            var request = PolicyFixture.request(path, action)
            request.expiresIn = expiresIn
            return file.policy.explanation(for: request).lines(file.verdict(on: request))
        }
        let stable = "  URL     stays the same for up to 900 s, and expires up to 900 s later"
        #expect(lines("a/x", .get).suffix(2) == ["  URL     expires after 18000 s", stable])
        #expect(lines("a/x", .write).last == "  URL     expires after 18000 s")
        #expect(lines("b/x", .get).last == "  URL     expires after 18000 s")
        #expect(lines("a/x", .get, expiresIn: 604_800).last == "  URL     expires after 604800 s")
    }

    @Test(
        "test-rules compares the window",
        arguments: [
            ("a/x", "get", #"{"status":200,"expiresIn":18000,"window":900}"#, []),
            ("a/x", "get", #"{"status":200,"window":60}"#, ["window is 900, expected 60"]),
            ("b/x", "get", #"{"status":200,"window":null}"#, []),
            ("a/x", "write", #"{"status":200,"window":900}"#, ["window is null, expected 900"]),
        ])
    func ruleTest(path: String, action: String, expected: String, differences: [String]) throws {
        let file = try PolicyFile(parsing: Array((Self.configuration + "\n").utf8), file: "p")
        let text = #"[{"request":{"who":null,"action":"\#(action)","path":"\#(path)"},"expect":\#(expected)}]"#
        let tests = try RuleTestFile(parsing: Array(text.utf8), file: "t")
        #expect(tests.cases.map { $0.differences(from: file.verdict(on: $0.request)) } == [differences])
    }
}
