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

    /// Requests that miss `/s/` with something that could be a credential, and the path that is logged.
    private static let misses: [(target: String, path: String)] = [
        ("//s/TOKEN", "//s/*"), ("/S/TOKEN", "/S/*"), ("/./s/TOKEN", "/./s/*"), ("/x/s/TOKEN", "/x/s/*"),
        ("/%73/TOKEN", "/%73/*"), ("/o/../s/TOKEN", "/o/../s/*"), ("/o/%2E%2e/s/TOKEN", "/o/%2E%2e/s/*"),
        ("/o/.%2e/s/TOKEN", "/o/.%2e/s/*"), ("/o//s/TOKEN", "/o//s/*"), ("/o/../s/TOKEN?store=x", "/o/../s/*"),
        ("/lfs/../s/TOKEN/objects/batch", "/lfs/../s/*/objects/batch"), ("/lfs/s/locks/TOKEN", "/lfs/s/locks/*"),
        ("/TOKEN", "/*"), ("/x/TOKEN;v=1", "/x/*"), ("/x/a,TOKEN,b", "/x/*"), ("/x/TOKEN/more", "/x/*/more"),
        ("/x%2Fs%2FTOKEN", "/*"), ("/x/ENCODED", "/x/*"), ("/x/s/HALF/HALF", "/x/s/*/*"), ("/x?t=TOKEN", "/x"),
        ("http://presign.test/x/s/TOKEN", "/x/s/*"), ("/healthz/TOKEN", "/healthz/*"), ("/presign/TOKEN", "/presign/*"),
        ("/x/APIKEY", "/x/*"), ("/x/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl", "/x/*"),
        ("/favicon.ico", "/favicon.ico"), ("/wp-login.php", "/wp-login.php"), ("/presgin", "/presgin"),
        ("/.well-known/openid-configuration", "/.well-known/openid-configuration"),
    ]

    @Test("A path of no route is logged without what could be a credential, however it is sent", arguments: misses)
    func missed(target: String, path: String) throws {
        let service = try ShareFixture.service(
            ShareFixture.yaml().replacing("links: false", with: "links: true") + "\nlfs: {}\n")
        let token = try service.mint(#"{"path":"docs/a","share":true}"#).token
        let encoded = token.utf8.map { "%" + String($0, radix: 16) }.joined()
        let half = String(token.prefix(token.utf8.count / 2))
        let sent = target.replacing("TOKEN", with: token).replacing("ENCODED", with: encoded)
            .replacing("HALF", with: half).replacing("APIKEY", with: SampleConfiguration.Key.web)
        let fields = "Host: presign.test\r\nX-API-Key: \(SampleConfiguration.Key.web)\r\n"
        let heads = [
            "GET \(sent) HTTP/1.1\r\n\(fields)\r\n", "HEAD \(sent) HTTP/1.1\r\n\(fields)\r\n",
            "OPTIONS \(sent) HTTP/1.1\r\n\(fields)\r\n",
            "PUT \(sent) HTTP/1.1\r\n\(fields)Expect: 100-continue\r\nContent-Length: 1\r\n\r\n",
            "GET \(sent) HTTP/1.1\r\n\(fields)Host: twice\r\n\r\n", "BREW \(sent) HTTP/1.1\r\n\(fields)\r\n",
            "GET \(sent) HTTP/9.9\r\n\(fields)\r\n", "GET  \(sent) HTTP/1.1\r\n\(fields)\r\n",
        ]
        let minted = service.logLines().count
        for head in heads {
            let client = service.connect()
            client.send(head)
            _ = try client.response(omitsBody: head.hasPrefix("HEAD"))
        }
        let lines = service.logLines().dropFirst(minted)
        #expect(lines.count == heads.count)
        let secrets = [token, encoded, half, SampleConfiguration.Key.web, "eyJzdWIi"]
        for line in lines + service.auditLines() {
            for secret in secrets { #expect(!line.contains(secret), "\(line)") }
        }
        // All but the last two have a request line that can be parsed.
        for line in lines.dropLast(2) { #expect(line.contains("\"path\":\"\(path)\""), "\(line)") }
    }

    @Test("The path of an object is logged in full, and a path that no object can have without its long segments")
    func keys() throws {
        let service = try ShareFixture.service()
        let long = "docs/" + String(repeating: "a1", count: 32)
        let token = try service.mint(#"{"path":"docs/a","share":true}"#).token
        for body in [#"{"path":"\#(long)"}"#, #"{"path":"../s/\#(token)"}"#, #"{"prefix":"a//\#(token)/"}"#] {
            _ = try service.exchange(presignRequest(body))
        }
        _ = try service.exchange(batchRequest([#"{"path":"/s/\#(token)"}"#]))
        let (lines, audit) = (service.logLines().dropFirst(), service.auditLines().dropFirst())
        for line in lines + audit { #expect(!line.contains(token), "\(line)") }
        for line in [lines.first, audit.first] { #expect(line?.contains(#""key":"\#(long)""#) == true) }
        #expect(lines.contains { $0.contains(#""key":"../s/*""#) } && audit.contains { $0.contains(#""key":"/s/*""#) })
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
