import Foundation
import SocketTestSupport
import TestSupport
import Testing

@testable import AccessRules
@testable import AccessRulesTestSupport
@testable import CallerAuthentication
@testable import PresignServiceTestSupport
@testable import PresignTools

@Suite("The service and `explain` agree")
struct ServiceComparisonTests {
    /// One request in the formats of both.
    private struct Question {
        var members: [String: any Sendable]
        var question: [String: any Sendable]
    }

    private static let keys = [
        "k": "psk_k_" + String(repeating: "K", count: 43), "plain": "psk_plain_" + String(repeating: "P", count: 43),
    ]

    private static func yaml(_ naive: NaivePolicy) -> String {
        func entry(_ id: String, _ more: String) -> String {
            "{id: \(id)\(more), hashes: [\"\(APIKey.storedHash(of: (keys[id] ?? "").utf8))\"]}"
        }
        return """
            version: 1
            server: {listen: "127.0.0.1:0", loops: 1}
            stores:
              media: {bucket: one, region: eu-west-1, default: true}
              archive: {bucket: two, region: eu-west-1, prefix: a-long-prefix/}
            expires: {default: 550s, max: 850s}
            auth: {guest: true, apiKeys: [\(entry("k", ", identity: a, groups: [b, red]")), \(entry("plain", ""))]}
            \(naive.yaml)
            """
    }

    @Test("Random requests get the same result", arguments: 1...3 as ClosedRange<UInt64>)
    func same(seed: UInt64) throws {
        var random = RandomPolicy(generator: SeededGenerator(seed: seed))
        var statuses: Set<Int> = []
        for _ in 0..<8 {
            statuses.formUnion(try Self.compare(Self.yaml(random.policy()), &random))
        }
        #expect(statuses == [200, 400, 401, 403, 422])
    }

    /// The statuses of 50 requests.
    private static func compare(_ yaml: String, _ random: inout RandomPolicy) throws -> Set<Int> {
        let (file, service) = (try PolicyFile(parsing: Array(yaml.utf8), file: "p.yaml"), try TestService(yaml))
        var statuses: Set<Int> = []
        for _ in 0..<50 {
            let key = random.one(of: [nil, "k", "plain"])
            let asked = Self.question(&random, key)
            let line = try JSONSerialization.data(withJSONObject: asked.question)
            let verdict = file.verdict(on: try RuleQuestion(parsing: Array(line)[...]).request)
            let body = String(decoding: try JSONSerialization.data(withJSONObject: asked.members), as: UTF8.self)
            let response = try service.exchange(presignRequest(body, key: key.flatMap { Self.keys[$0] }))
            let comment = Comment("\(body): \(response.text)\n\(yaml)")
            try #require(response.status == verdict.status, comment)
            statuses.insert(response.status)
            if response.status == 200 {
                let presigned = try response.presigned()
                #expect(Int64(presigned.expiresIn) == verdict.expiresIn, comment)
                #expect((presigned.headers["if-none-match"] == "*") == verdict.ifNoneMatch, comment)
            } else if response.status == 422 || response.status == 400 {
                let names = try response.problem().pointers.map { $0 == "#/checksumSHA256" ? "#/checksum" : $0 }
                #expect(names == verdict.fields.map { "#/" + $0 }, comment)
            }
        }
        return statuses
    }

    @Test("Completing a multipart upload signs `if-none-match`, the other steps do not")
    func completion() throws {
        let rules = "rules: [{path: a/*, allow: {everyone: [multipart]}, write: {overwrite: false}}]"
        let file = try PolicyFile(parsing: Array(rules.utf8), file: "p.yaml")
        func verdict(_ step: MultipartStep?) -> Bool? {
            var request = PolicyFixture.request("a/b", .multipart)
            request.step = step
            return file.verdict(on: request).ifNoneMatch
        }
        #expect(verdict(.complete) == true && verdict(nil) == true)
        #expect([MultipartStep.create, .part, .list, .abort].allSatisfy { verdict($0) == false })
        let lines = file.policy.explanation(for: PolicyFixture.request("a/b", .multipart))
            .lines(file.verdict(on: PolicyFixture.request("a/b", .multipart)))
        #expect(lines.last == "  URL     signs if-none-match: *, when the upload is completed")
    }

    @Test("A key that is too long only with the store's prefix is rejected by both")
    func prefix() throws {
        let yaml = Self.yaml(NaivePolicy(rules: [], denials: [], isExclusive: false)).replacing(
            "rules:", with: "rules: [{path: \"**\", store: archive, allow: {everyone: [get]}}]")
        let (file, service) = (try PolicyFile(parsing: Array(yaml.utf8), file: "p.yaml"), try TestService(yaml))
        for (length, status) in [(1010, 200), (1011, 400)] {
            let path = String(repeating: "x", count: length)
            let request = PolicyFixture.request(path, store: "archive")
            #expect(file.verdict(on: request).status == status)
            let body = #"{"path":"\#(path)","store":"archive"}"#
            #expect(try service.exchange(presignRequest(body, key: nil)).status == status)
        }
    }

    @Test("An explanation notes that a key is no prefix to list")
    func list() throws {
        let file = try PolicyFile(parsing: Array("rules: [{path: a/*, allow: {everyone: [read]}}]".utf8), file: "p")
        let request = PolicyFixture.request("a/b", .list)
        let lines = file.policy.explanation(for: request).lines(file.verdict(on: request))
        #expect(lines.last == "  note    this decides `list` for one key; end the path in / to decide a listing")
        #expect(file.verdict(on: PolicyFixture.request("a/b")).note == nil)
        let json = String(decoding: file.verdict(on: request).json(id: nil), as: UTF8.self)
        #expect(json.contains(#""note":"this decides `list` for one key"#))
    }

    private static func question(_ random: inout RandomPolicy, _ key: String?) -> Question {
        var naive = random.request()
        if naive.action == "list" { naive.action = "get" }
        if naive.action == "multipart" { naive.step = random.one(of: MultipartStep.allCases).rawValue }
        // Unknown stores and members that do not fit the operation are not decided by the rules.
        let store = naive.store == "nowhere" ? nil : naive.store
        let takesType = naive.action == "write" || naive.step == "create"
        var asked = Question(members: ["path": naive.path.joined(separator: "/")], question: [:])
        asked.members["store"] = store
        asked.members["expiresIn"] = naive.expiresIn
        if takesType { asked.members["contentType"] = naive.type }
        for (name, value) in naive.overrides where !value.isEmpty { asked.members[name] = value }
        asked.question = asked.members
        asked.question["action"] = naive.action
        asked.question["step"] = naive.step
        asked.question["who"] = key.map { ["caller": $0] } ?? NSNull()
        if naive.action == "write" || ["part", "complete"].contains(naive.step) {
            asked.members["contentLength"] = naive.length
            asked.question["contentLength"] = naive.length
            if naive.action == "write", naive.hasChecksum {
                asked.members["checksumSHA256"] = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="
                asked.question["checksum"] = "sha256"
            }
        }
        let methods = [
            "get": "GET", "write": "PUT", "delete": "DELETE", "create": "POST", "part": "PUT", "list": "GET",
            "complete": "POST", "abort": "DELETE",
        ]
        asked.members["method"] = methods[naive.step ?? naive.action]
        if let step = naive.step, step != "create" { asked.members["uploadId"] = "u" }
        if naive.step == "part" {
            asked.members["partNumber"] = naive.part ?? 1
            asked.question["partNumber"] = naive.part ?? 1
        }
        return asked
    }
}
