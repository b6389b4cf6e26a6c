import Requests
import Testing

@testable import AccessRules
@testable import AccessRulesTestSupport
@testable import DataFormats
@testable import PresignService
@testable import PresignTools

@Suite("Files of rule tests, and files with rules only")
struct RuleTestFileTests {
    private static let rules = """
        rules: [{path: "a/*", allow: {everyone: [get, write]}, write: {types: [a/b], maxSize: 1}}]
        """

    private func differences(_ text: String) throws -> [[String]] {
        let file = try PolicyFile(parsing: Array(Self.rules.utf8), file: "p.yaml")
        let tests = try RuleTestFile(parsing: Array(text.utf8), file: "t")
        return tests.cases.map { $0.differences(from: file.verdict(on: $0.request)) }
    }

    @Test(
        "Every difference is reported",
        arguments: [
            (#"{"status":200}"#, []), (#"{"status":401}"#, ["status is 200, expected 401"]),
            (#"{"status":200,"rule":"a/*","reason":null,"fields":[],"expiresIn":18000,"ifNoneMatch":false}"#, []),
            (
                #"{"rule":"b","status":200,"expiresIn":5}"#,
                [#"rule is "a/*", expected "b""#, "expiresIn is 18000, expected 5"]
            ),
        ])
    func differences(expected: String, differences: [String]) throws {
        let text = #"[{"name":"n","request":{"who":null,"action":"get","path":"a/b"},"expect":\#(expected)}]"#
        #expect(try self.differences(text) == [differences])
    }

    @Test("Fields are compared regardless of their order")
    func fields() throws {
        func text(_ reason: String) -> String {
            #"[{"request":{"who":null,"action":"write","path":"a/b"},"expect":{"status":422,"reason":\#(reason)}}]"#
        }
        #expect(try differences(text(#"["contentLength","contentType"]"#)) == [[]])
        #expect(
            try differences(text(#"["contentType"]"#)) == [
                [#"reason is ["contentType","contentLength"], expected ["contentType"]"#]
            ])
        #expect(try differences(text(#""no-rule""#)).map(\.count) == [1])
    }

    @Test("YAML is accepted like JSON")
    func yaml() throws {
        let text = """
            config: rules.yaml
            cases:
              - name: "7"
                request: {who: {identity: "true", groups: [x]}, action: get, path: a/b, expiresIn: 60}
                expect: {status: 200, reason: null, expiresIn: 60, ifNoneMatch: false}
              - request: {who: ~, action: get, path: "1"}
                expect: {status: 401, reason: no-rule}
            """
        #expect(try differences(text) == [[], []])
        let file = try RuleTestFile(parsing: Array(text.utf8), file: "t")
        #expect(file.configuration == "rules.yaml" && file.cases.map(\.title) == ["case 1, 7", "case 2"])
    }

    @Test(
        "A malformed file is rejected with the position",
        arguments: [
            ("", "t: must be an object"), ("[]", "the list of cases is empty"), ("[", "t: "),
            ("{\"cases\":[]}", "the list of cases is empty"),
            ("{\"case\":[]}", "case: unknown field"), ("- [", "t:1:"), ("[{}]", "case 1: request: is missing"),
            (#"[{"request":{"who":null,"action":"get","path":"a"}}]"#, "case 1: expect: is missing"),
            (#"[{"request":{"who":null,"action":"get","path":"a"},"expect":{"rule":"a"}}]"#, "expect.status"),
            (
                #"[{"request":{"who":null,"action":"get","path":"a"},"expect":{"status":200,"stauts":1}}]"#,
                "expect.stauts: unknown field"
            ),
            (#"[{"request":{"who":null,"action":"got","path":"a"},"expect":{"status":200}}]"#, "case 1: action"),
        ])
    func broken(text: String, message: String) {
        let error = #expect(throws: RuleTestFileError.self) {
            _ = try RuleTestFile(parsing: Array(text.utf8), file: "t")
        }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test(
        "Errors of a file with rules only have positions",
        arguments: [
            ("rules: []\nserver: {}", "p.yaml:2:1"), ("rules: [{path: a/, allow: {guest: [get]}}]", "p.yaml:1:16"),
            ("stores: [a]\nrules: [{path: a, store: b, allow: {guest: [get]}}]", "p.yaml:2:26"),
            ("version: 1\nrules: []", "p.yaml:1:1"),
        ])
    func rulesOnly(text: String, position: String) {
        let error = #expect(throws: ConfigurationError.self) {
            _ = try PolicyFile(parsing: Array(text.utf8), file: "p.yaml")
        }
        #expect(error?.position.description == position)
    }

    @Test("A whole configuration has the same errors as in the service")
    func mistakes() throws {
        let yaml = """
            version: 1
            stores: {media: {bucket: acme-media, regoin: eu-west-1}}
            sever: {listen: 8080}
            log: {level: infos}
            rules:
              - {path: a/**, alow: {guest: [get]}}
              - {path: b/**, allow: {gest: [wirte]}}
            deny: [{path: a, actons: [get]}]
            """
        let file = #expect(throws: ConfigurationError.self) {
            _ = try PolicyFile(parsing: Array(yaml.utf8), file: "p.yaml")
        }
        let service = #expect(throws: ConfigurationError.self) {
            _ = try ServiceConfiguration(parsing: Array(yaml.utf8), file: "p.yaml")
        }
        #expect(file?.description == service?.description)
        #expect((file?.description.split(separator: "\n").count ?? 0) >= 7)
    }

    @Test("A whole configuration decides on guests and API keys")
    func wholeConfiguration() throws {
        let yaml = """
            version: 1
            stores: {media: {bucket: acme-media, region: eu-west-1}}
            auth:
              apiKeys:
                - {id: web, identity: w, groups: [g], hashes: ["sha256:\(String(repeating: "a", count: 64))"]}
                - {id: off, disabled: true, hashes: ["sha256:\(String(repeating: "b", count: 64))"]}
            expires: {max: 1h}
            rules:
              - {path: "a/{identity}", allow: {owner: [get]}}
              - {path: m, allow: {everyone: [write, multipart]}, write: {types: [image/*]}}
            """
        let file = try PolicyFile(parsing: Array(yaml.utf8), file: "p.yaml")
        let guest = file.verdict(on: PolicyFixture.request("a/b"))
        #expect(guest.status == 401 && guest.reason == "no-guests")
        let key = try file.caller(ofKey: "web")
        #expect(key == Caller(apiKeyID: "web", identity: "w", groups: ["g"]))
        var request = PolicyFixture.request("a/w", as: key)
        #expect(file.verdict(on: request).expiresIn == 3600)
        request.expiresIn = 3601
        #expect(file.verdict(on: request).fields == ["expiresIn"])
        for (question, status) in [
            (#""who":{"caller":"web"},"action":"get","path":"a/w""#, 200),
            (#""who":{"caller":"web","identity":"x"},"action":"get","path":"a/w""#, 403),
            (#""who":{"caller":"wib"},"action":"get","path":"a/w""#, 401),
            (#""who":{"caller":"off"},"action":"get","path":"a/w""#, 401),
            (#""who":{"caller":"web"},"action":"write","path":"m""#, 422),
            (#""who":{"caller":"web"},"action":"get","path":"a/w","contentLength":53687091200001"#, 400),
            (#""who":{"caller":"web"},"action":"get","path":"no","contentLength":-1"#, 400),
            // Only the creation of a multipart upload declares a type.
            (#""who":{"caller":"web"},"action":"multipart","path":"m""#, 200),
            (#""who":{"caller":"web"},"action":"multipart","path":"m","contentType":"image/png""#, 200),
            (#""who":{"caller":"web"},"action":"multipart","path":"m","contentType":"text/html""#, 422),
        ] {
            let line = "{" + question + "}"
            #expect(file.verdict(on: try RuleQuestion(parsing: Array(line.utf8)[...]).request).status == status)
        }
        let error = #expect(throws: FieldFailure.self) { _ = try file.caller(ofKey: "wib") }
        #expect(error?.detail.contains("did you mean `web`?") == true)
    }
}
