import HTTPServerTestSupport
import ObjectExistence
import PresigningTestSupport
import Requests
import SocketTestSupport
import Testing
import Text

@testable import PresignService
@testable import PresignServiceTestSupport
@testable import Presigning

@Suite("Requests for cache-stable URLs")
struct WindowTests {
    private typealias Key = SampleConfiguration.Key
    private static let secret = "0123456789abcdef0123456789abcdef"

    /// 5 days.
    private static let window = 432_000
    private static let now = Int(TestClock.start)

    private static func yaml(_ change: (inout SampleConfiguration) -> Void = { _ in }) -> String {
        var configuration = SampleConfiguration()
        (configuration.links, configuration.window, configuration.guest) = (true, "5d", true)
        change(&configuration)
        return configuration.yaml
    }

    /// The start of the current window as a URL has it.
    private static func start() -> String {
        var text = ByteBuffer()
        SigningTime(secondsSince1970: Int64(now / window * window)).appendBasic(to: &text)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    private static func linkRequest(_ target: String, _ headers: [String] = []) -> String {
        (["GET \(target) HTTP/1.1", "Host: presign.test"] + headers).joined(separator: "\r\n") + "\r\n\r\n"
    }

    @Test(
        "GET and HEAD are signed for the start of the window, and the response says truly when the URL expires",
        arguments: ["GET", "HEAD"])
    func stable(method: String) throws {
        let body = #"{"path":"public/a","method":"\#(method)","expiresIn":60}"#
        let presigned = try TestService(Self.yaml()).exchange(presignRequest(body)).presigned()
        let query = presigned.query
        #expect(query["X-Amz-Date"] == Self.start() && query["X-Amz-Expires"] == "\(Self.window + 60)")
        #expect(query["response-cache-control"] == "private, max-age=\(Self.window)")
        #expect(60...(Self.window + 60) ~= presigned.expiresIn && presigned.limitedBy == nil)
        let end = try #require(SigningTime(rfc3339: presigned.expiresAt))
        #expect(Int(end.secondsSince1970) - Self.now == presigned.expiresIn)
        #expect(try verification(of: presigned.url, method: method, at: TestClock.startTime) == .valid)
        #expect(try verification(of: presigned.url, method: method, at: end) == .valid)
        let late = end.advanced(bySeconds: 1)
        #expect(try verification(of: presigned.url, method: method, at: late) == .expired)
    }

    @Test("Uploads and deletions are signed for the second", arguments: ["PUT", "DELETE", "POST"])
    func otherMethods(method: String) throws {
        let service = try TestService(Self.yaml())
        let presigned = try verified(
            service.exchange(presignRequest(#"{"path":"public/a","method":"\#(method)","expiresIn":60}"#)))
        #expect(presigned.expiresIn == 60)
    }

    @Test("An item of a batch gets the URL of a single request")
    func batch() throws {
        let service = try TestService(Self.yaml())
        let item = #"{"path":"public/a"}"#
        let alone = try service.exchange(presignRequest(item)).presigned()
        let batch = try service.exchange(batchRequest([item, item])).batch()
        #expect(batch.responses.map(\.url) == [alone.url, alone.url])
    }

    @Test("The URL stays the same until the window ends")
    func nextWindow() throws {
        let service = try TestService(Self.yaml())
        func url() throws -> String { try service.exchange(presignRequest(#"{"path":"public/a"}"#)).presigned().url }
        let first = try url()
        service.advance(by: .seconds(Self.window - Self.now % Self.window - 1))
        #expect(try url() == first)
        service.advance(by: .seconds(1))
        #expect(try url() != first)
    }

    @Test("A caller's own Cache-Control, or Expires, stays")
    func overrides() throws {
        let service = try TestService(Self.yaml())
        for (field, value) in [("responseCacheControl", "no-cache"), ("responseExpires", "0")] {
            let body = #"{"path":"public/a","\#(field)":"\#(value)"}"#
            let query = try service.exchange(presignRequest(body)).presigned().query
            #expect(query["response-cache-control"] == (field == "responseExpires" ? nil : value))
        }
    }

    @Test("The existence check is signed for the second, and decides as without a window")
    func existence() throws {
        let service = try TestService(Self.yaml(), storage: [.status(200), .status(404)])
        let body = #"{"path":"public/a","validateObjectExistence":true}"#
        let presigned = try service.exchange(presignRequest(body)).presigned()
        #expect(try verification(of: presigned.url, method: "GET", at: TestClock.startTime) == .valid)
        #expect(try service.exchange(presignRequest(body)).status == 404)
        #expect(service.storage.urls.map { queryItems(of: $0)["X-Amz-Expires"] } == ["60", "60"])
    }

    @Test("A URL ends with temporary credentials, and stays the same while they do")
    func temporaryCredentials() throws {
        var environment = SampleConfiguration.environment
        let end = TestClock.startTime.advanced(bySeconds: 1000)
        environment["AWS_CREDENTIAL_EXPIRATION"] = end.rfc3339Text
        let service = try TestService(Self.yaml(), environment: environment)
        let presigned = try service.exchange(presignRequest(#"{"path":"public/a"}"#)).presigned()
        #expect(presigned.query["X-Amz-Date"] == Self.start())
        #expect(presigned.expiresAt == end.rfc3339Text && presigned.limitedBy == "credentials")
        #expect(presigned.expiresIn <= 1000)
        let short = try service.exchange(presignRequest(#"{"path":"public/a","expiresIn":60}"#)).presigned()
        #expect(short.limitedBy == nil && short.expiresAt == end.rfc3339Text)
        let link = try service.exchange(Self.linkRequest("/o/public/a"))
        let maxAge = try #require(link["cache-control"]?.split(separator: "=").last.flatMap { Int($0) })
        #expect(1...1000 ~= maxAge)
    }

    @Test("A link's redirect is cacheable by the caller until the window ends")
    func link() throws {
        let service = try TestService(Self.yaml { $0.cors = "{origins: []}" })
        let left = Self.window - Self.now % Self.window
        for request in [Self.linkRequest("/o/public/a"), Self.linkRequest("/o/public/a", ["X-API-Key: \(Key.web)"])] {
            let response = try service.exchange(request)
            #expect(response.status == 307 && response["x-request-id"] != nil)
            let control = try #require(response["cache-control"])
            #expect(control.hasPrefix("private, max-age="))
            let maxAge = try #require(Int(control.dropFirst("private, max-age=".count)))
            #expect(maxAge == left)
            #expect(response["vary"] == "Authorization, X-API-Key")
        }
    }

    @Test("With CORS, Vary also has the origin")
    func crossOrigin() throws {
        let service = try TestService(Self.yaml())
        let response = try service.exchange(Self.linkRequest("/o/public/a", ["Origin: https://app.example.com"]))
        #expect(response.values("vary") == ["Authorization, X-API-Key", "Origin"])
    }

    @Test("Behind a proxy that signs users in, the cookie and the proxy's headers decide too")
    func proxy() throws {
        let yaml = Self.yaml {
            $0.proxy =
                "proxy: {from: [127.0.0.1/32], secretHeader: X-Proxy-Secret, secretFile: secret, identity: X-Auth-User}"
            $0.cors = "{origins: []}"
        }
        let service = try TestService(yaml, files: ["secret": Self.secret])
        let headers = ["X-Proxy-Secret: \(Self.secret)", "X-Auth-User: alice"]
        let response = try service.exchange(Self.linkRequest("/o/private/alice/a", headers))
        #expect(response.status == 307 && response["vary"] == "Authorization, X-API-Key, Cookie, x-auth-user")
    }

    @Test(
        "Other responses must not be stored",
        arguments: [
            ("5d", "/o/private/bob/a", 401), ("5d", "/o/public/a?method=PUT", 400), ("5d", "/presign", 200),
            ("0s", "/o/public/a", 307),
        ])
    func notStored(window: String, target: String, status: Int) throws {
        let presign = presignRequest(#"{"path":"public/a"}"#)
        let request = target == "/presign" ? presign : Self.linkRequest(target)
        let response = try TestService(Self.yaml { $0.window = window }).exchange(request)
        #expect(response.status == status && response["cache-control"] == "no-store")
    }

    @Test("A reload with another window changes the URL")
    func reload() throws {
        let service = try TestService(Self.yaml())
        let body = presignRequest(#"{"path":"public/a","expiresIn":60}"#)
        let urls = try ["5d", "4d", "0s", "5d"].map { window in
            try service.reload(Self.yaml { $0.window = window })
            return try service.exchange(body).presigned().url
        }
        #expect(Set(urls).count == 3 && urls[0] == urls[3])
    }
}
