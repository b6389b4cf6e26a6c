import Presigning
import Testing

@testable import AccessRules
@testable import AccessRulesTestSupport
@testable import DataFormats

@Suite("Denials")
struct DenyTests {
    @Test(
        "A denial's pattern matches whole paths",
        arguments: [
            ("**/.*", ".env", true), ("**/.*", "a/.env", true), ("**/.*", "a/b/.e", true), ("**/.*", "a.b", false),
            ("**/.*", ".git/config", false), ("**/.*/**", ".git/config", true), ("**/.*/**", "a/.b/c/d", true),
            ("a/**", "a", false), ("a/**", "a/b", true), ("a/**", "a/b/c", true), ("a/**", "ab/c", false),
            ("**", "x", true), ("**/x/**/y", "x/y", true), ("**/x/**/y", "a/x/b/x/c/y", true),
            ("**/x/**/y", "a/x/b", false), ("**/**/x", "x", true), ("*/b", "a/b", true), ("*/b", "a/a/b", false),
            ("*.exe", "a.exe", true), ("*.exe", "d/a.exe", false), ("**/*.exe", "d/a.exe", true),
            ("a*b*c", "aXbYbc", true),
            ("a*b*c", "aXc", false), ("**/*.tar.*", "x/a.tar.tar.gz", true), ("**/é*", "e\u{301}x", false),
            ("**/a/b", "a/a/b", true), ("**/a/b", "a/b/a", false), ("**/a/*/c", "a/a/a/b/c", true),
        ])
    func patterns(pattern: String, path: String, matches: Bool) throws {
        let denial = try DenyPattern(parsing: pattern)
        #expect(denial.matches(Array(path.utf8)) == matches)
    }

    private static let yaml = """
        rules:
          - {path: "**", allow: {everyone: [read, write]}}
          - {path: "**", store: archive, allow: {everyone: [read, write]}}
        deny:
          - {path: "**/.*"}
          - {path: "cold/**", store: archive}
          - {path: "frozen/**", actions: [write, delete]}
        """

    @Test(
        "Denials override grants, in the stores and for the actions they name",
        arguments: [
            (".a", nil, .get, "deny:**/.*"), (".a", "archive", .get, "deny:**/.*"), ("cold/a", nil, .get, "allowed"),
            ("cold/a", "archive", .get, "deny:cold/**"), ("frozen/a", nil, .get, "allowed"),
            ("frozen/a", nil, .write, "deny:frozen/**"), ("frozen/a", "archive", .write, "deny:frozen/**"),
            ("a", "nowhere", .get, "no-rule"), (".a", "nowhere", .get, "no-rule"), ("a/../b", nil, .get, "path"),
        ] as [(String, String?, AccessAction, String)])
    func scope(path: String, store: String?, action: AccessAction, code: String) throws {
        let policy = try PolicyFixture.compile(Self.yaml).policy
        let decision = policy.decision(for: PolicyFixture.request(path, action, store: store))
        #expect(decision.code == code)
        if code.hasPrefix("deny") { #expect(decision.status == 401 && decision.rule?.position.file == "p.yaml") }
    }
}
