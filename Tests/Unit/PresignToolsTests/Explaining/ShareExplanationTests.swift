import Requests
import Testing

@testable import AccessRules
@testable import CallerAuthentication
@testable import HTTP1
@testable import PresignService
@testable import PresignTools
@testable import Presigning

@Suite("Explaining share links")
struct ShareExplanationTests {
    private static let key = "pshk_" + String(repeating: "A", count: 43)
    private static let start = SigningTime(secondsSince1970: 1_800_000_000)

    private static func configuration(_ shares: String = "{keys: [{id: k1, file: f}]}") throws -> ServiceConfiguration {
        let yaml = """
            version: 1
            stores: {media: {bucket: acme, region: eu-west-1}}
            auth: {apiKeys: [{id: web, groups: [staff], hashes: ["sha256:\(String(repeating: "1", count: 64))"]}]}
            shares: \(shares)
            rules:
              - path: docs/**
                allow: {group:staff: [get, write]}
                write: {types: [image/*]}
                share: {get: 90d, write: 7d}
            """
        return try ServiceConfiguration(parsing: Array(yaml.utf8), file: "c.yaml")
    }

    private static func link(_ change: (inout Share) -> Void = { _ in }) throws -> String {
        var share = Share(
            of: Array("docs/a".utf8), in: "media", by: Caller(apiKeyID: "web", identity: nil), from: start,
            until: start.advanced(bySeconds: 600))
        change(&share)
        let links = try ShareLinks(try configuration().shares, .init()) { _ in Array(key.utf8) }
        return try #require(try links?.seal(share)?.token)
    }

    private func explain(
        _ link: String, shares: String = "{keys: [{id: k1, file: f}]}", after seconds: Int = 60,
        declaring upload: (inout PresignRequest) -> Void = { _ in }
    ) throws -> ShareExplanation {
        let explanation = try ShareExplanation(
            of: link, declaring: upload, in: try Self.configuration(shares),
            at: Self.start.advanced(bySeconds: seconds), read: { _ in Array(Self.key.utf8) })
        return try #require(explanation)
    }

    @Test("It names what a link holds and the rule that decides; a whole link is read, too")
    func usable() throws {
        for prefix in ["", "https://files.example.com/s/"] {
            let explanation = try explain(prefix + Self.link() + (prefix.isEmpty ? "" : "?utm_source=x"))
            #expect(explanation.isUsable)
            let text = explanation.lines.joined(separator: "\n")
            for part in [
                "sealed with the key k1", "holds   GET docs/a in media", "by caller:web",
                "until   2027-01-15T08:10:00Z",
                "allowed (200)", "docs/** (c.yaml:6:11)", "expires after 300 s",
            ] { #expect(text.contains(part), "\(text)") }
        }
    }

    @Test("It says why a link would be refused")
    func refused() throws {
        let link = try Self.link()
        let cases: [(link: String, shares: String, after: Int, reason: String)] = [
            ("x", "{keys: [{id: k1, file: f}]}", 60, "refused (404): not the form"),
            (link, "{keys: [{id: k2, file: f}]}", 60, "refused (404): a share link with an unknown key"),
            (link, "{keys: [{id: k1, file: f}]}", 600, "refused (410): expired"),
            (link, "{keys: [{id: k1, file: f}], revoked: [{path: docs/*}]}", 60, "refused (410): revoked by c.yaml:4:"),
            (
                try Self.link { $0.minter = Caller(apiKeyID: "gone", identity: nil) }, "{keys: [{id: k1, file: f}]}",
                60,
                "refused (410): the API key"
            ),
            (
                try Self.link { $0.path = Array("other/a".utf8) }, "{keys: [{id: k1, file: f}]}", 60,
                "refused (410): no-rule"
            ),
        ]
        for item in cases {
            let explanation = try explain(item.link, shares: item.shares, after: item.after)
            #expect(!explanation.isUsable)
            #expect(explanation.lines.contains { $0.hasPrefix(item.reason) }, "\(explanation.lines)")
        }
    }

    @Test("An upload is decided for what it declares")
    func upload() throws {
        let link = try Self.link {
            $0.isUpload = true
            $0.maximumSize = 9
        }
        let without = try explain(link)
        #expect(!without.isUsable && without.lines.contains("  accepts at most 9 bytes"))
        #expect(without.lines.contains { $0.contains("contentType") })
        #expect(try explain(link) { $0.contentType = "image/png" }.isUsable)
    }

    @Test("Without share keys there is nothing to explain")
    func noKeys() throws {
        let yaml = "version: 1\nstores: {media: {bucket: acme, region: eu-west-1}}\n"
        let configuration = try ServiceConfiguration(parsing: Array(yaml.utf8), file: "c.yaml")
        let explanation = try ShareExplanation(
            of: "x", declaring: { _ in }, in: configuration, at: Self.start, read: { _ in [] })
        #expect(explanation == nil)
    }
}
