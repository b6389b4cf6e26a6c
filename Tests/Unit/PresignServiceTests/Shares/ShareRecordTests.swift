import HTTPServerTestSupport
import SocketTestSupport
import TestSupport
import Testing

@testable import PresignServiceTestSupport

@Suite("Records of share links")
struct ShareRecordTests {
    @Test("Neither log nor audit contains a token; the link's id stands in its place")
    func tokens() throws {
        let service = try ShareFixture.service()
        let link = try service.mint(#"{"path":"docs/a","share":true}"#)
        _ = try service.use(link)
        _ = try service.exchange(ShareFixture.use("GET", "/s/forged-token"))
        _ = try service.exchange(ShareFixture.use("DELETE", link.url))
        let client = service.connect()
        client.send("GET /s/\(link.token) HTTP/1.1\r\nHost: presign.test\r\nHost: twice\r\n\r\n")
        #expect(try client.response()?.status == 400)
        let lines = service.logLines()
        #expect(lines.count == 5)
        for line in lines + service.auditLines() { #expect(!line.contains(link.token) && !line.contains("forged")) }
        #expect(lines[0].contains(#""share":"\#(link.id)""#))
        #expect(lines[1].contains(#""path":"/s/\#(link.id)""#) && lines[1].contains(#""key":"docs/a""#))
        #expect(lines[2].contains(#""path":"/s/""#))
    }

    @Test("The audit has making and each use, with one id")
    func audit() throws {
        let service = try ShareFixture.service()
        let link = try service.mint(#"{"path":"docs/a","share":true}"#)
        _ = try service.use(link)
        try service.reload(ShareFixture.yaml(more: ", revoked: [{share: \(link.id)}]"))
        _ = try service.use(link)
        _ = try service.exchange(ShareFixture.use("GET", "/s/x"))
        let entries = try AuditEntry.all(of: service)
        #expect(entries.map(\.event) == ["share", "presign", "authz_fail", "authn_fail"])
        #expect(entries.map(\.outcome) == ["allowed", "allowed", "refused", "refused"])
        #expect(entries.map(\.share) == [link.id, link.id, link.id, nil])
        for entry in entries.prefix(3) { #expect(entry.apiKey == "web" && entry.shareExpiresAt == link.expiresAt) }
        #expect(entries.map(\.expiresIn) == [nil, 300, nil, nil])
    }
}
