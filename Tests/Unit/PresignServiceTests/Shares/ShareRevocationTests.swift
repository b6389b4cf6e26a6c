import HTTPServerTestSupport
import Requests
import SocketTestSupport
import TestSupport
import Testing

@testable import AccessRules
@testable import CallerAuthentication
@testable import PresignServiceTestSupport

@Suite("Ending share links")
struct ShareRevocationTests {
    private typealias Key = SampleConfiguration.Key
    private static let docs = #"{"path":"docs/2026/a","share":true}"#

    /// Uses a link after a reload, and returns the status and the reason in the log.
    private func use(_ link: MintedLink, of service: TestService, after yaml: String) throws -> (Int, String) {
        try service.reload(yaml)
        let status = try service.use(link).status
        let line = try #require(service.logLines().last)
        let reason = line.split(separator: #""reason":""#).dropFirst().first?.prefix { $0 != "\"" } ?? ""
        return (status, String(reason))
    }

    @Test("A change of the rules ends links at once, and only those that it concerns")
    func rules() throws {
        let service = try ShareFixture.service()
        let (docs, mine) = (try service.mint(Self.docs), try service.mint(#"{"path":"mine/alice/a","share":true}"#))
        let without = ShareFixture.rules.replacing("share: {get: 90d, write: 7d}", with: "")
        #expect(
            try use(docs, of: service, after: ShareFixture.yaml(rules: without)) == (
                410, "the rule no longer allows the share link"
            ))
        #expect(try service.use(mine).status == 307)
        let denied = ShareFixture.rules + "\ndeny: [{path: docs/2026/**}]\n"
        #expect(try use(docs, of: service, after: ShareFixture.yaml(rules: denied)) == (410, "deny:docs/2026/**"))
        let none = "rules: []\n"
        #expect(try use(mine, of: service, after: ShareFixture.yaml(rules: none)) == (410, "no-rule"))
        #expect(try use(docs, of: service, after: ShareFixture.yaml()) == (307, ""))
    }

    @Test("A shorter maximum ends links that are older than it")
    func shorterMaximum() throws {
        let service = try ShareFixture.service()
        let link = try service.mint(#"{"path":"docs/a","share":true,"expiresIn":7776000}"#)
        try service.reload(ShareFixture.yaml(rules: ShareFixture.rules.replacing("get: 90d", with: "get: 1h")))
        #expect(try service.use(link).status == 307)
        service.advance(by: .seconds(3601))
        #expect(try service.use(link).status == 410)
    }

    @Test("The API key is the one that is configured now")
    func apiKey() throws {
        let hash = "hashes: [\"\(APIKey.storedHash(of: Key.web.utf8))\"]"
        let service = try ShareFixture.service()
        let (docs, mine) = (try service.mint(Self.docs), try service.mint(#"{"path":"mine/alice/a","share":true}"#))
        let gone = "the API key is not configured, disabled, or past its notAfter"
        for entry in [
            "- {id: web9, \(hash)}", "- {id: web, disabled: true, \(hash)}",
            "- {id: web, notAfter: \"2020-01-01T00:00:00Z\", \(hash)}",
        ] {
            #expect(try use(docs, of: service, after: ShareFixture.yaml(apiKeys: "    " + entry)) == (410, gone))
        }
        let renamed = ShareFixture.yaml(apiKeys: "    - {id: web, identity: bob, \(hash)}")
        #expect(try use(mine, of: service, after: renamed) == (410, "no-grant"))
        #expect(try service.use(docs).status == 307)
        // A new secret of the same id does not concern links.
        let rotated = ShareFixture.yaml(
            apiKeys: "    - {id: web, identity: alice, hashes: [\"sha256:\(String(repeating: "1", count: 64))\"]}")
        #expect(try use(mine, of: service, after: rotated) == (307, ""))
    }

    @Test("`shares.revoked` ends the links that have all properties of an item")
    func revoked() throws {
        let service = try ShareFixture.service()
        let link = try service.mint(Self.docs)
        let cases: [(item: String, isRevoked: Bool)] = [
            ("{share: \(link.id)}", true), ("{share: \(link.id.dropLast())}", false),
            ("{caller: \"caller:web\"}", true),
            ("{caller: \"caller:other\"}", false), ("{path: docs/**}", true), ("{path: docs/2025/**}", false),
            ("{before: 2027-01-15}", false), ("{before: 2027-01-16}", true),
            ("{before: \"2027-01-15T08:00:01Z\"}", true), ("{before: \"2027-01-15T08:00:00Z\"}", false),
            ("{caller: \"caller:web\", before: 2027-01-15}", false),
            ("{caller: \"caller:web\", path: \"**\", before: 2027-01-16}", true),
            ("{caller: \"caller:web\", path: mine/**}", false),
        ]
        for (item, isRevoked) in cases {
            try service.reload(ShareFixture.yaml(more: ", revoked: [{share: other}, \(item)]"))
            let response = try service.use(link)
            #expect(response.status == (isRevoked ? 410 : 307), "\(item)")
            if isRevoked { #expect(service.logLines().last?.contains("revoked by test.yaml:") == true) }
        }
    }

    @Test("A token's caller is what the token said, with the claims that rules name")
    func tokenCaller() throws {
        let service = try ShareFixture.service()
        let token = TokenFixture.token([
            "tenant": "\"acme\"", "other": "\"\(String(repeating: "x", count: 900))\"", "groups": "[\"editors\"]",
        ])
        let headers = ["Authorization: Bearer \(token)"]
        let links = try ["tenant/acme/a", "team/a", "mine/alice/a"].map {
            try service.mint(#"{"path":"\#($0)","share":true}"#, key: nil, headers)
        }
        // The token has expired long ago; the unused claim is not in the link.
        service.advance(by: .seconds(80_000))
        for link in links {
            #expect(link.token.utf8.count < 300)
            #expect(try service.use(link).status == 307)
        }
        let line = try #require(service.logLines().last)
        #expect(line.contains(#""caller":"jwt:set:alice""#))
        let other = ShareFixture.yaml().replacing("{name: set, ", with: "{name: renamed, ")
        #expect(try use(links[0], of: service, after: other) == (410, "the token's issuer is not configured"))
        try service.reload(ShareFixture.yaml(more: ", revoked: [{caller: \"jwt:set:alice\"}]"))
        for link in links { #expect(try service.use(link).status == 410) }
    }

    @Test("A proxy's user needs the proxy in the configuration")
    func proxiedCaller() throws {
        let service = try ShareFixture.service()
        let headers = [
            "X-Proxy-Secret: \(ShareFixture.proxySecret)", "X-Auth-User: alice", "X-Forwarded-For: 10.0.0.2",
        ]
        let link = try service.mint(#"{"path":"mine/alice/a","share":true}"#, key: nil, headers)
        #expect(try service.use(link).status == 307)
        let without = ShareFixture.yaml().split(separator: "\n").filter { !$0.contains("proxy: {") }.joined(
            separator: "\n")
        #expect(try use(link, of: service, after: without) == (410, "the maker's way to sign in is not configured"))
    }
}
