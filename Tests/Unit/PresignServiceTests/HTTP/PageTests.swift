import HTTP1
import SocketTestSupport
import Testing
import UploadPage

@testable import PresignService
@testable import PresignServiceTestSupport

@Suite("The upload page")
struct PageTests {
    private static func service(page: Bool) throws -> TestService {
        var configuration = SampleConfiguration()
        configuration.page = page
        return try TestService(configuration.yaml)
    }

    private static func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: presign.test\r\n\r\n" }

    @Test("Its policy allows every storage and the page itself, nothing else")
    func policy() throws {
        let response = try Self.service(page: true).exchange(Self.get("/"))
        #expect(response.status == 200)
        #expect(response["content-type"] == "text/html; charset=utf-8")
        #expect(response["x-content-type-options"] == "nosniff")
        let policy = try #require(response["content-security-policy"])
        #expect(policy.hasPrefix("default-src 'none'; script-src 'self';"))
        let connect = try #require(policy.split(separator: "; ").first { $0.hasPrefix("connect-src") })
        #expect(
            connect.split(separator: " ").dropFirst() == [
                "'self'", "https://acme-media.s3.eu-west-1.amazonaws.com", "https://s3.us-east-1.amazonaws.com",
                "https://acme-fast.s3-accelerate.amazonaws.com", "https://files.example.com",
            ])
        #expect(!policy.contains("unsafe"))
    }

    @Test("A configured origin may import the module")
    func module() throws {
        let request = "GET /presign.js HTTP/1.1\r\nHost: a\r\nOrigin: https://app.example.com\r\n\r\n"
        let response = try Self.service(page: true).exchange(request)
        #expect(response.status == 200)
        #expect(response["content-type"] == "text/javascript; charset=utf-8")
        #expect(response["access-control-allow-origin"] == "https://app.example.com")
        #expect(response.text.contains("export"))
    }

    @Test("Paths with the version are cached forever; others are revalidated, and not sent again")
    func caching() throws {
        let service = try Self.service(page: true)
        let page = try service.exchange(Self.get("/"))
        let module = try #require(page.text.firstMatch(of: /"(v\/[0-9a-f]{16}\/js\/client\.js)"/)).output.1
        let cases = [
            ("/", "no-cache"), ("/presign.js", "no-cache"), ("/js/client.js", "no-cache"),
            ("/v/0/js/client.js", "no-cache"), ("/\(module)", "public, max-age=31536000, immutable"),
        ]
        for (path, control) in cases {
            let first = try service.exchange(Self.get(path))
            #expect(first.status == 200 && first.values("cache-control") == [control], "\(path)")
            let tag = try #require(first["etag"])
            for condition in [tag, "W/\(tag)", "\"a\", \(tag)", "*"] {
                let request = Self.get(path).replacing("\r\n\r\n", with: "\r\nIf-None-Match: \(condition)\r\n\r\n")
                let second = try service.exchange(request)
                #expect(second.status == 304 && second.body.isEmpty && second["etag"] == tag)
                #expect(second["cache-control"] == control)
                #expect(second["content-security-policy"] == first["content-security-policy"])
            }
            let other = Self.get(path).replacing("\r\n\r\n", with: "\r\nIf-None-Match: \"a\"\r\n\r\n")
            #expect(try service.exchange(other).status == 200)
        }
    }

    @Test("The page's tag changes with its policy, which browsers keep with the page")
    func tagOfPolicy() throws {
        var configuration = SampleConfiguration()
        configuration.page = true
        let other = configuration.yaml.replacing("acme-media", with: "acme-other")
        let tags = try [configuration.yaml, other].map { try TestService($0).exchange(Self.get("/"))["etag"] }
        #expect(tags[0] != nil && tags[0] != tags[1])
    }

    private static let signIn = """
        version: 1
        stores: {media: {bucket: acme-media, region: eu-west-1}}
        auth:
          jwt:
            - {name: users, preset: keycloak, issuer: "https://id.test/realms/a", audience: files, secretFile: secret,
               algorithms: [HS256]}
        page: {signIn: {issuer: users, clientID: files}}
        """

    @Test("With a provider, the page has its settings, and may connect to its token endpoint")
    func signIn() throws {
        let files = ["secret": String(repeating: "s", count: 32)]
        let service = try TestService(Self.signIn, files: files)
        let response = try service.exchange(Self.get("/"))
        #expect(
            try Self.settings(in: response.text) == """
                {'needsCredentials':true,'languages':['de','en'],\
                'signIn':{'issuer':'https://id.test/realms/a','clientID':'files',\
                'scopes':['openid','profile','email'],'token':'access',\
                'authorizationEndpoint':'https://id.test/realms/a/protocol/openid-connect/auth',\
                'tokenEndpoint':'https://id.test/realms/a/protocol/openid-connect/token'}}
                """)
        let policy = try #require(response["content-security-policy"])
        #expect(policy.contains("amazonaws.com https://id.test/realms/a/protocol/openid-connect/token; "))
        // The provider leads back with a code, and the browser may have the page.
        let tag = try #require(response["etag"])
        let callback = try service.exchange(Self.get("/?code=secret&state=s"))
        #expect(callback.status == 200 && callback.body == response.body && callback["etag"] == tag)
        let known = Self.get("/").replacing("\r\n\r\n", with: "\r\nIf-None-Match: \(tag)\r\n\r\n")
        #expect(try service.exchange(known).status == 304)
        let plain = Self.signIn.replacing("{signIn: {issuer: users, clientID: files}}", with: "true")
        let without = try TestService(plain, files: files)
        let other = try without.exchange(Self.get("/"))
        #expect(try other["etag"] != tag && !Self.settings(in: other.text).contains("signIn"))
    }

    /// The settings in the head of the page, with single quotes.
    private static func settings(in page: String) throws -> String {
        let meta = try #require(page.firstMatch(of: /<meta name="presign-page" content="([^"]*)">/)).output.1
        return String(meta).replacing("&quot;", with: "'")
    }

    @Test(
        "The page has the configured title and language",
        arguments: [
            ("title: Acme Files", "'title':'Acme Files'"), ("title: 'قسم <b>'", "'title':'قسم <b>'"),
            ("language: de", "'language':'de'"),
        ])
    func titleAndLanguage(setting: String, expected: String) throws {
        var configuration = SampleConfiguration()
        configuration.page = true
        let yaml = configuration.yaml.replacing("page: true", with: "page: {\(setting)}")
        #expect(try Self.settings(in: TestService(yaml).exchange(Self.get("/")).text).contains(expected))
    }

    @Test(
        "The page knows whether every request needs a key or a token: not with guests or proxies",
        arguments: [
            ("apiKeys: []", true), ("guest: true", false), ("guest: false", true),
            ("proxy: {from: [127.0.0.1/32], secretHeader: X-Secret, secretFile: secret, identity: X-User}", false),
        ])
    func needsCredentials(authentication: String, expected: Bool) throws {
        let yaml = """
            version: 1
            stores: {media: {bucket: acme-media, region: eu-west-1}}
            auth: {\(authentication)}
            page: true
            """
        let service = try TestService(yaml, files: ["secret": String(repeating: "s", count: 32)])
        let settings = try Self.settings(in: service.exchange(Self.get("/")).text)
        #expect(settings.contains("'needsCredentials':\(expected)"))
    }

    @Test("The page is built once per configuration, not for each request")
    func builtOnce() throws {
        let service = try TestService(Self.signIn, files: ["secret": String(repeating: "s", count: 32)])
        let asset = try #require(UploadPage.asset(at: "/".utf8))
        func address() -> Int? {
            let page = service.assembly.service.currentSnapshot().0.page
            let body = page?.response(with: asset, to: HTTPHeaders()).body ?? []
            // unsafe: the address is compared, never followed.
            return unsafe body.withUnsafeBytes { unsafe $0.baseAddress.map { Int(bitPattern: $0) } }
        }
        let first = try #require(address())
        // Whatever else takes up freed memory, the page stays where it is.
        let other = try service.exchange(Self.get("/")).body
        #expect(!other.isEmpty && address() == first)
    }

    @Test(
        "No service worker can be registered on this origin, at any path",
        arguments: [
            "/", "/presign.js", "/presign-worker.js", "/v/0/presign-worker.js", "/o/public/a.js", "/s/a", "/presign",
            "/healthz", "/metrics", "/nowhere",
        ])
    func serviceWorker(path: String) throws {
        let service = try Self.service(page: true)
        for field in ["Service-Worker: script", "service-worker:script"] {
            let request = Self.get(path).replacing("\r\n\r\n", with: "\r\n\(field)\r\n\r\n")
            let response = try service.exchange(request)
            #expect(response.status == 403 && response["service-worker-allowed"] == nil)
            let problem = try response.problem()
            #expect(problem.code == "forbidden" && problem.detail.hasPrefix("No service worker"))
        }
        // Pages and workers that import the script send no such field.
        let plain = try service.exchange(Self.get(path))
        #expect(plain.status != 403 && plain["service-worker-allowed"] == nil)
    }

    @Test(
        "The page exists only if it is configured", arguments: ["/", "/presign.js", "/presign-worker.js", "/page.css"])
    func off(path: String) throws {
        #expect(try Self.service(page: false).exchange(Self.get(path)).status == 404)
    }
}
