import Foundation
import Presigning
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

    @Test("Completing a multipart upload signs `if-none-match`, the other steps do not")
    func completion() throws {
        let rules = "rules: [{path: a/*, allow: {everyone: [multipart]}, write: {overwrite: false}}]"
        let file = try PolicyFile(parsing: Array(rules.utf8), file: "p.yaml")
        func verdict(_ step: MultipartStep?) -> Bool? {
            file.verdict(on: PolicyFixture.request("a/b", .multipart, step: step)).ifNoneMatch
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
}
