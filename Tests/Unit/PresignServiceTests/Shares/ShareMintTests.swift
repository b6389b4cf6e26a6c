import HTTPServerTestSupport
import Requests
import SocketTestSupport
import TestSupport
import Testing

@testable import AccessRules
@testable import PresignServiceTestSupport
@testable import Presigning

@Suite("Making share links")
struct ShareMintTests {
    private static let day = 86_400

    @Test("The response has the link, its id and its end")
    func response() throws {
        let link = try ShareFixture.service().mint(#"{"path":"docs/a","share":true,"expiresIn":86400}"#)
        #expect(link.url.hasPrefix("http://presign.test/s/") && link.token.utf8.count < 130)
        #expect(link.id.utf8.count == 16 && link.method == "GET" && link.expiresIn == Self.day)
        #expect(link.expiresAt == TestClock.startTime.advanced(bySeconds: Self.day).rfc3339Text)
    }

    @Test("Without expiresIn a link lives 7 days, or as long as the rule allows")
    func usualLifetime() throws {
        let service = try ShareFixture.service()
        #expect(try service.mint(#"{"path":"docs/a","share":true}"#).expiresIn == 7 * Self.day)
        #expect(try service.mint(#"{"path":"mine/alice/a","share":true}"#).expiresIn == Self.day)
    }

    @Test("A form makes a link too, and the response can be text")
    func form() throws {
        let service = try ShareFixture.service()
        let request = presignRequest(
            "path=docs/a&share=true&expiresIn=7776000", type: "application/x-www-form-urlencoded",
            ["Accept: text/plain"])
        let response = try service.exchange(request)
        #expect(response.status == 200 && response.text.hasSuffix("\n"))
        let link = response.text.dropLast()
        #expect(try service.exchange(ShareFixture.use("GET", String(link))).status == 307)
    }

    @Test("`shares.url` replaces the scheme and the host of the request")
    func origin() throws {
        let service = try ShareFixture.service(ShareFixture.yaml(more: ", url: \"https://files.example.com\""))
        let link = try service.mint(#"{"path":"docs/a","share":true}"#)
        #expect(link.url.hasPrefix("https://files.example.com/s/"))
    }

    private static let body = #"{"path":"docs/a","share":true}"#

    /// A request for a link with this line in place of the Host field.
    private static func request(host line: String, _ version: String = "HTTP/1.1") -> String {
        let fields = ["X-API-Key: \(SampleConfiguration.Key.web)", "Content-Type: application/json"]
        let lines = ["POST /presign \(version)"] + (line.isEmpty ? [] : [line]) + fields
        return (lines + ["Content-Length: \(body.utf8.count)"]).joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    @Test(
        "A link begins with the request's host, if that is a host name or an address",
        arguments: [
            ("files.example.com", "files.example.com"), ("FILES.example.com:80", "FILES.example.com:80"),
            ("files.example.com.", "files.example.com."), ("a_b.example", "a_b.example"), ("a:", "a"),
            ("192.0.2.1:8080", "192.0.2.1:8080"), ("[::1]:8080", "[::1]:8080"), ("localhost", "localhost"),
        ])
    func host(host: String, expected: String) throws {
        let service = try ShareFixture.service()
        for version in ["HTTP/1.0", "HTTP/1.1"] {
            let response = try service.exchange(Self.request(host: "Host: \(host)", version))
            #expect(response.status == 200 && response.text.contains("\"http://\(expected)/s/"), "\(response.text)")
        }
    }

    @Test(
        "Without a usable host there is no link, unless `shares.url` is set",
        arguments: [
            ("", "HTTP/1.0"), ("Host: a'b", "HTTP/1.1"), ("Host: a;b", "HTTP/1.1"), ("Host: x%22y", "HTTP/1.1"),
            ("Host: a&b=c", "HTTP/1.1"), ("Host: a..b", "HTTP/1.1"), ("Host: -a", "HTTP/1.1"),
            ("Host: 127.1", "HTTP/1.1"), ("Host: .", "HTTP/1.1"), ("Host: a:0", "HTTP/1.1"),
            ("Host: \(String(repeating: "a", count: 64)).example", "HTTP/1.1"),
        ])
    func noHost(line: String, version: String) throws {
        let refused = try ShareFixture.service().exchange(Self.request(host: line, version))
        #expect(try refused.status == 400 && refused.problem().pointers == ["#/share"], "\(refused.text)")
        #expect(try refused.problem().detail.contains("`shares.url`") && !refused.text.contains("/s/"))
        let named = try ShareFixture.service(ShareFixture.yaml(more: ", url: \"https://files.example.com\""))
        let response = try named.exchange(Self.request(host: line, version))
        #expect(response.status == 200 && response.text.contains("\"https://files.example.com/s/"))
    }

    @Test("`share: false` is a usual request")
    func off() throws {
        try verified(try ShareFixture.service().exchange(presignRequest(#"{"path":"docs/a","share":false}"#)))
    }

    struct Refusal: CustomTestStringConvertible, Sendable {
        let body: String
        let status: Int
        let pointers: [String]
        var key: String? = SampleConfiguration.Key.web
        var testDescription: String { body }

        init(_ fields: String, _ status: Int, _ pointers: String..., key: String? = SampleConfiguration.Key.web) {
            body = "{\"share\":true,\(fields)}"
            (self.status, self.pointers, self.key) = (status, pointers, key)
        }
    }

    static let refusals = [
        Refusal(#""path":"closed/a""#, 422, "#/share"), Refusal(#""path":"mine/bob/a""#, 403),
        Refusal(#""path":"team/a""#, 422, "#/share"), Refusal(#""path":"nowhere/a""#, 403),
        Refusal(#""path":"docs/a","expiresIn":7776001"#, 422, "#/expiresIn"),
        Refusal(#""path":"docs/a","expiresIn":0"#, 400, "#/expiresIn"),
        Refusal(#""path":"docs/a","expiresIn":315360001"#, 400, "#/expiresIn"),
        Refusal(#""path":"docs/a","method":"PUT","expiresIn":604801"#, 422, "#/expiresIn"),
        Refusal(#""path":"docs/a","method":"DELETE""#, 400, "#/share"),
        Refusal(#""path":"docs/a","method":"HEAD""#, 400, "#/share"),
        Refusal(#""path":"docs/a","method":"POST""#, 400, "#/share"), Refusal(#""prefix":"docs/""#, 400, "#/share"),
        Refusal(#""path":"docs/a","versionId":"1""#, 400, "#/versionId"),
        Refusal(#""path":"docs/a","method":"POST","form":true,"contentType":"a/b""#, 400, "#/form"),
        Refusal(#""path":"docs/a","responseContentType":"a/b""#, 400, "#/responseContentType"),
        Refusal(#""path":"docs/a","validateObjectExistence":true"#, 400, "#/validateObjectExistence"),
        Refusal(#""path":"docs/a","method":"PUT","cacheControl":"no-store""#, 400, "#/cacheControl"),
        Refusal(#""path":"docs/a","method":"PUT","contentType":"text/csv; charset=utf-8""#, 400, "#/contentType"),
        Refusal(#""path":"inbox/a","method":"PUT","contentType":"text/html""#, 422, "#/contentType"),
        Refusal(#""path":"inbox/a","method":"PUT","contentType":"text/*""#, 422, "#/contentType"),
        Refusal(#""path":"inbox/a","method":"PUT","contentLength":1025"#, 422, "#/contentLength"),
        Refusal(#""path":"docs/a""#, 401, key: nil),
    ]

    @Test("A link that no rule allows is refused", arguments: refusals)
    func refused(_ refusal: Refusal) throws {
        let service = try ShareFixture.service(ShareFixture.yaml(guest: true))
        let response = try service.exchange(presignRequest(refusal.body, key: refusal.key))
        #expect(response.status == refusal.status, "\(response.text)")
        #expect(try response.problem().pointers == refusal.pointers, "\(response.text)")
    }

    @Test("Without keys no links are made, and /s/ does not exist; a batch makes none")
    func noKeys() throws {
        let yaml = ShareFixture.yaml().replacing("shares: {keys: [{id: k1, file: k1}]}\n", with: "")
        let service = try ShareFixture.service(yaml)
        let response = try service.exchange(presignRequest(#"{"path":"docs/a","share":true}"#))
        #expect(try response.status == 400 && response.problem().pointers == ["#/share"])
        let route = try service.exchange(ShareFixture.use("GET", "/s/x"))
        #expect(try route.problem().code == "no-such-route")
        let batch = try ShareFixture.service().exchange(batchRequest([#"{"path":"docs/a","share":true}"#]))
        #expect(batch.text.contains("is not allowed in a batch"))
    }

    @Test("Permissions tell how long links may live")
    func permissions() throws {
        let service = try ShareFixture.service()
        let request = { (path: String) in
            "GET /permissions?path=\(path) HTTP/1.1\r\nHost: presign.test\r\nX-API-Key: \(SampleConfiguration.Key.web)\r\n\r\n"
        }
        let docs = try service.exchange(request("docs/a")).text
        #expect(docs.contains(#""share":7776000"#) && docs.contains(#""share":604800"#))
        #expect(!(try service.exchange(request("closed/a")).text.contains("share")))
    }

    @Test("A rate limit of the caller counts making a link")
    func rateLimit() throws {
        let service = try ShareFixture.service(ShareFixture.yaml(limits: "{perCaller: 1/h}"))
        _ = try service.mint(#"{"path":"docs/a","share":true}"#)
        #expect(try service.exchange(presignRequest(#"{"path":"docs/a","share":true}"#)).status == 429)
    }
}
