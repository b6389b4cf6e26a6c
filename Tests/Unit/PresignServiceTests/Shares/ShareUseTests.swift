import HTTPServerTestSupport
import PresigningTestSupport
import SocketTestSupport
import System
import TestSupport
import Testing

@testable import AccessRules
@testable import CallerAuthentication
@testable import PresignServiceTestSupport
@testable import Presigning

@Suite("Using share links")
struct ShareUseTests {
    private typealias Key = SampleConfiguration.Key
    private static let media = "https://acme-media.s3.eu-west-1.amazonaws.com/"
    private static let get = #"{"path":"docs/a b.csv","share":true}"#

    @Test("GET and HEAD redirect without credentials to a URL of at most 5 minutes", arguments: ["GET", "HEAD"])
    func redirect(method: String) throws {
        let service = try ShareFixture.service()
        let link = try service.mint(Self.get)
        for headers in [[], ["Authorization: Bearer forged", "X-API-Key: forged"], ["Cookie: a=b"]] {
            let response = try service.use(link, method, headers)
            #expect(response.status == 307 && response.body.isEmpty)
            #expect(response["cache-control"] == "no-store" && response["referrer-policy"] == "no-referrer")
            #expect(response["x-robots-tag"] == "noindex")
            #expect(response["cross-origin-resource-policy"] == "cross-origin")
            let location = try #require(response["location"])
            #expect(location.hasPrefix(Self.media + "docs/a%20b.csv?"))
            #expect(queryItems(of: location)["X-Amz-Expires"] == "300")
            #expect(try verification(of: location, method: method, at: TestClock.startTime) == .valid)
        }
    }

    @Test("Parameters that others append to a link are ignored")
    func query() throws {
        let service = try ShareFixture.service()
        let link = try service.mint(Self.get)
        let response = try service.exchange(
            ShareFixture.use("GET", link.url + "?utm_source=x&path=closed/a&store=fast"))
        #expect(response["location"]?.hasPrefix(Self.media + "docs/a%20b.csv?") == true)
    }

    @Test("With a window the URL is the same for a while, and still ends within 5 minutes")
    func window() throws {
        let service = try ShareFixture.service(ShareFixture.yaml(window: "15m"))
        let link = try service.mint(Self.get)
        let first = try #require(try service.use(link)["location"])
        service.advance(by: .seconds(60))
        #expect(try service.use(link)["location"] == first)
        service.advance(by: .seconds(100))
        let second = try #require(try service.use(link)["location"])
        #expect(second != first)
        let end = SigningTime(secondsSince1970: TestClock.start + 160 + 301)
        #expect(try verification(of: second, method: "GET", at: end) == .expired)
    }

    @Test("A URL does not outlive its link, which then has ended")
    func expiry() throws {
        let service = try ShareFixture.service()
        let link = try service.mint(#"{"path":"docs/a","share":true,"expiresIn":600}"#)
        service.advance(by: .seconds(540))
        let location = try #require(try service.use(link)["location"])
        #expect(queryItems(of: location)["X-Amz-Expires"] == "60")
        service.advance(by: .seconds(59))
        #expect(try service.use(link).status == 307)
        service.advance(by: .seconds(1))
        let ended = try service.use(link)
        #expect(try ended.status == 410 && ended.problem().code == "share-ended" && ended["location"] == nil)
        #expect(service.logLines().last?.contains(#""reason":"expired""#) == true)
    }

    @Test(
        "A link is for its own method only",
        arguments: [("GET", "PUT"), ("GET", "POST"), ("PUT", "GET"), ("PUT", "HEAD")])
    func method(made: String, used: String) throws {
        let service = try ShareFixture.service()
        let link = try service.mint(#"{"path":"docs/a","share":true,"method":"\#(made)"}"#)
        let response = try service.use(link, used, used == "PUT" ? ["Content-Length: 0"] : [])
        #expect(response.status == 405 && response["location"] == nil)
        #expect(response["allow"]?.contains(used) == false)
    }

    @Test("Every other token gets 404")
    func invalid() throws {
        let service = try ShareFixture.service()
        let token = try service.mint(Self.get).token
        let other = try ShareFixture.service(ShareFixture.yaml(keys: "{id: k1, file: k2}")).mint(Self.get).token
        let unknown = try ShareFixture.service(ShareFixture.yaml(keys: "{id: k9, file: k1}")).mint(Self.get).token
        let last = token.hasSuffix("A") ? "B" : "A"
        let forged = [
            "", "x", String(token.dropLast()), token + "A", token.dropLast() + last, token + "=", token + "/x", other,
            unknown, String(repeating: "A", count: 3000), "%41" + token,
        ]
        for text in forged {
            let response = try service.exchange(ShareFixture.use("GET", "/s/" + text))
            #expect(try response.status == 404 && response.problem().code == "share-invalid", "\(text)")
            #expect(response["location"] == nil)
        }
        #expect(try service.exchange(ShareFixture.use("GET", "/s/" + token)).status == 307)
    }

    @Test("The key in front makes links; the other opens its own until it is removed")
    func rotation() throws {
        let service = try ShareFixture.service()
        let old = try service.mint(Self.get)
        try service.reload(ShareFixture.yaml(keys: "{id: k2, file: k2}, {id: k1, file: k1}"))
        let new = try service.mint(Self.get)
        for link in [old, new] { #expect(try service.use(link).status == 307) }
        try service.reload(ShareFixture.yaml(keys: "{id: k2, file: k2}"))
        #expect(try service.use(old).status == 404 && service.use(new).status == 307)
    }

    @Test("Uses are limited by the client's address, whatever the token, and not by the minter's limit")
    func rateLimit() throws {
        let service = try ShareFixture.service(ShareFixture.yaml(limits: "{perCaller: 1/h, perShareClient: 2/h}"))
        let link = try service.mint(Self.get)
        #expect(try service.use(link).status == 307)
        #expect(try service.exchange(ShareFixture.use("GET", "/s/x")).status == 404)
        let refused = try service.use(link)
        #expect(refused.status == 429 && refused["retry-after"] != nil)
        let client = service.connect(from: .ipv4(0x0A00_0001))
        client.send(ShareFixture.use("GET", link.url))
        #expect(try client.response()?.status == 307)
        let proxied = ["X-Proxy-Secret: \(ShareFixture.proxySecret)", "X-Forwarded-For: 10.0.0.2"]
        #expect(try service.use(link, "GET", proxied).status == 307)
    }
}

@Suite("Uploads to share links")
struct ShareUploadTests {
    private static func link(_ service: TestService, _ fields: String) throws -> MintedLink {
        try service.mint(#"{"method":"PUT","share":true,\#(fields)}"#)
    }

    @Test("A PUT is signed for the type, the length and the checksum that the request carries")
    func signed() throws {
        let service = try ShareFixture.service()
        let link = try Self.link(service, #""path":"docs/up""#)
        let sum = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
        let sent = ["content-type": "text/csv", "content-length": "5", "x-amz-checksum-sha256": sum]
        let response = try service.use(link, "PUT", sent.map { "\($0.key): \($0.value)" } + ["Expect: 100-continue"])
        let location = try #require(response["location"], "\(response.text)")
        #expect(try verification(of: location, method: "PUT", headers: sent, at: TestClock.startTime) == .valid)
        for (name, value) in ["content-type": "text/html", "content-length": "6"] {
            let changed = sent.merging([name: value]) { $1 }
            #expect(
                try verification(of: location, method: "PUT", headers: changed, at: TestClock.startTime)
                    == .tampered(.signature))
        }
    }

    struct Upload: CustomTestStringConvertible, Sendable {
        let fields: String
        let headers: [String]
        let status: Int
        let pointers: [String]
        var testDescription: String { "\(fields) \(headers)" }

        init(_ fields: String, _ headers: [String], _ status: Int, _ pointers: String...) {
            (self.fields, self.headers, self.status, self.pointers) = (fields, headers, status, pointers)
        }
    }

    private static let inbox = #""path":"inbox/a""#
    private static let once = "If-None-Match: *"
    private static let limited = #""path":"docs/a","contentType":"image/*","contentLength":10,"ifNoneMatch":"*""#

    static let uploads = [
        Upload(inbox, ["Content-Type: image/png", "Content-Length: 9", once], 307),
        Upload(inbox, ["Content-Type: image/png;  charset=utf-8", "Content-Length: 9", once], 307),
        Upload(inbox, ["Content-Type: image/png", "Content-Length: 9"], 422, "#/if-none-match"),
        Upload(inbox, ["Content-Type: text/html", "Content-Length: 9", once], 422, "#/contentType"),
        Upload(inbox, ["Content-Length: 9", once], 422, "#/contentType"),
        Upload(inbox, ["Content-Type: image/png", "Content-Length: 1025", once], 413, "#/contentLength"),
        Upload(inbox, ["Content-Type: image/png", once], 422, "#/contentLength"),
        Upload(inbox, ["Content-Type: image/png", "Transfer-Encoding: chunked", once], 411),
        Upload(inbox, ["Content-Length: 9", once, "x-amz-acl: public-read"], 422, "#/contentType"),
        Upload(
            inbox, ["Content-Type: image/png", "Content-Length: 9", once, "X-Amz-ACL: public-read"], 400, "#/x-amz-acl"),
        Upload(limited, ["Content-Type: image/png", "Content-Length: 10", once], 307),
        Upload(limited, ["Content-Type: image/png", "Content-Length: 10"], 422, "#/if-none-match"),
        Upload(
            limited, ["Content-Type: text/csv", "Content-Length: 11", once], 413, "#/contentType", "#/contentLength"),
        Upload(limited, ["Content-Type: image/*", "Content-Length: 1", once], 422, "#/contentType"),
        Upload(#""path":"docs/a""#, ["Content-Length: 9", "If-None-Match: \"etag\""], 400, "#/ifNoneMatch"),
        Upload(#""path":"docs/a""#, ["Content-Length: 9", "X-Amz-Checksum-SHA256: x"], 400, "#/checksumSHA256"),
        Upload(#""path":"set/a""#, ["Content-Length: 9"], 422, "#/cache-control"),
        Upload(#""path":"set/a""#, ["Content-Length: 9", "Cache-Control: no-store"], 307),
    ]

    @Test("A PUT link accepts only what it holds and the rule allows", arguments: uploads)
    func accepted(_ upload: Upload) throws {
        let service = try ShareFixture.service()
        let link = try Self.link(service, upload.fields)
        let response = try service.use(link, "PUT", upload.headers + ["Expect: 100-continue"])
        #expect(response.status == upload.status, "\(response.text)")
        #expect((response["location"] != nil) == (upload.status == 307))
        if upload.status != 307 { #expect(try response.problem().pointers == upload.pointers, "\(response.text)") }
    }

    @Test("A small body that is sent at once is discarded, and the connection stays open")
    func body() throws {
        let service = try ShareFixture.service()
        let link = try Self.link(service, #""path":"docs/a""#)
        let client = service.connect()
        for _ in 0..<2 {
            client.send(ShareFixture.use("PUT", link.url, ["Content-Length: 5"]) + "Hello")
            #expect(try client.response()?.status == 307)
        }
    }
}
