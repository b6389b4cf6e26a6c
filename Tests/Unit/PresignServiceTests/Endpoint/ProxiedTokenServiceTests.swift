import HTTPServerTestSupport
import Requests
import SocketTestSupport
import TestSupport
import Testing

@testable import PresignServiceTestSupport

@Suite("Requests whose token a proxy has set")
struct ProxiedTokenServiceTests {
    private typealias Fixture = TokenFixture
    private typealias Key = SampleConfiguration.Key
    private static let get = #"{"path":"private/alice/a"}"#
    private static let secret = String(repeating: "s", count: 32)

    private static func service(
        _ settings: String = "header: X-Token", guest: Bool = false, cors: String? = nil, quotas: String = "{}"
    ) throws -> TestService {
        var configuration = SampleConfiguration()
        configuration.guest = guest
        configuration.proxy =
            "proxy: {from: [127.0.0.1/32], secretHeader: X-Proxy-Secret, secretFile: secret, identity: X-Auth-User}"
        configuration.quotas = quotas
        (configuration.links, configuration.window) = (true, "15m")
        if let cors { configuration.cors = cors }
        let issuer = "{name: edge, issuer: edge, audience: a, algorithms: [HS256], secretFile: secret, \(settings)}"
        let yaml = configuration.yaml.replacing("  apiKeys:", with: "  jwt: [\(issuer)]\n  apiKeys:")
        return try TestService(yaml, files: ["secret": secret])
    }

    private static func token(_ changes: [String: String?] = [:]) -> String {
        let now = TestClock.start
        let claims: [String: String?] = ["aud": "\"a\"", "iat": "\(now - 60)", "exp": "\(now + 600)"]
        return Fixture.token(
            "HS256", header: #"{"alg":"HS256"}"#, claims.merging(changes) { $1 }, iss: "edge",
            by: .secret(Array(secret.utf8)))
    }

    @Test("The token's user is the caller, and the log has the user without the token")
    func accepted() throws {
        let service = try Self.service()
        let token = Self.token()
        for _ in 0..<2 {
            try verified(try service.exchange(presignRequest(Self.get, key: nil, ["x-token: " + token])))
        }
        let bearer = try service.exchange(presignRequest(Self.get, key: nil, ["Authorization: Bearer " + token]))
        #expect(bearer.status == 401)
        let both = ["x-token: " + token, "x-token: " + token]
        #expect(try service.exchange(presignRequest(Self.get, key: nil, both)).status == 401)
        #expect(try service.exchange(presignRequest(Self.get, key: nil, ["x-token: x"])).status == 401)
        let lines = service.logLines()
        #expect(lines.prefix(2).allSatisfy { $0.contains(#""caller":"jwt:edge:alice""#) })
        #expect(lines[2].contains("only from the header x-token") && lines[3].contains("more than one header"))
        for part in token.split(separator: ".") { #expect(!lines.joined().contains(part)) }
    }

    @Test("An API key wins; with a proxy's identity the request is ambiguous")
    func precedence() throws {
        let service = try Self.service()
        let proxied = "X-Token: " + Self.token(["sub": "\"bob\""])
        try verified(try service.exchange(presignRequest(Self.get, [proxied])))
        #expect(try service.exchange(presignRequest(Self.get, key: nil, [proxied])).status == 403)
        #expect(try service.exchange(presignRequest(Self.get, key: Key.off, [proxied])).status == 401)
        let shown = ["X-Proxy-Secret: " + Self.secret, "X-Auth-User: alice"]
        try verified(try service.exchange(presignRequest(Self.get, key: nil, shown)))
        let both = try service.exchange(presignRequest(Self.get, key: nil, shown + ["X-Token: " + Self.token()]))
        #expect(try both.status == 400 && both.problem().code == "credentials-ambiguous")
    }

    @Test(
        "A form, which browsers send without a preflight, needs a listed origin, as a proxy's cookie authenticates it",
        arguments: [
            (nil, nil, 200), (nil, "https://app.example.com", 200), (nil, "https://evil.example", 403),
            (nil, "null", 403), ("{origins: [\"*\"]}", "https://evil.example", 403),
            ("{origins: [\"*\"]}", "null", 403), ("{origins: []}", "https://app.example.com", 403),
        ] as [(String?, String?, Int)])
    func forms(cors: String?, origin: String?, status: Int) throws {
        let service = try Self.service(cors: cors)
        let headers = ["X-Token: " + Self.token()] + (origin.map { ["Origin: " + $0] } ?? [])
        let request = presignRequest(
            "path=private/alice/a", key: nil, type: "application/x-www-form-urlencoded", headers)
        #expect(try service.exchange(request).status == status)
        for type in ["text/plain", "multipart/form-data", ""] {
            let simple = presignRequest(Self.get, key: nil, type: type, headers)
            #expect(try service.exchange(simple).status == 415)
        }
        let batch = presignRequest(#"{"requests":[]}"#, key: nil, type: "text/plain", headers)
        #expect(try service.exchange(batch.replacing("POST /presign ", with: "POST /presign/batch ")).status == 415)
    }

    @Test("A page may not set the header, and caches are told that it decides")
    func headers() throws {
        let service = try Self.service(cors: #"{origins: ["https://app.example.com"], headers: [x-tenant]}"#)
        let preflight = try service.exchange(
            "OPTIONS /presign HTTP/1.1\r\nHost: a\r\nOrigin: https://app.example.com\r\n"
                + "Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: x-tenant, x-token\r\n\r\n")
        #expect(preflight["access-control-allow-headers"]?.contains("x-token") == false)
        #expect(preflight["x-presign-cors"]?.hasSuffix(": x-token") == true)
        #expect(preflight["access-control-allow-credentials"] == nil)
        let link = try service.get("/o/private/alice/a", as: nil, ["X-Token: " + Self.token()]).response
        #expect(link.status == 307)
        #expect(link.values("vary").joined(separator: ", ").contains("X-API-Key, Cookie, x-auth-user, x-token"))
    }

    @Test("Invalid tokens count as failed authentications; a cached one is accepted only in its header")
    func failures() throws {
        let service = try Self.service(quotas: "{failedAuthentications: 1/h}")
        let (seen, unseen) = (Self.token(), Self.token(["jti": "\"2\""]))
        func status(_ header: String) throws -> Int {
            try service.exchange(presignRequest(Self.get, key: nil, [header])).status
        }
        #expect(try status("X-Token: " + seen) == 200)
        #expect(try status("X-Token: x") == 401)
        #expect(try status("X-Token: " + unseen) == 429)
        #expect(try status("Authorization: Bearer " + seen) == 429)
        #expect(try status("X-Token: " + seen) == 200)
    }

    @Test(
        "The log names the header of a known proxy that no issuer reads, also for guests",
        arguments: [
            ("Cf-Access-Jwt-Assertion", "cloudflare-access"), ("X-Goog-IAP-JWT-Assertion", "google-iap"),
            ("X-Amzn-Oidc-Data", "A proxy that signs users in"),
        ], [true, false])
    func unread(_ known: (header: String, fix: String), guest: Bool) throws {
        let service = try Self.service(guest: guest)
        let headers = [known.header.lowercased() + ": VALUE"]
        #expect(try service.exchange(presignRequest(Self.get, key: nil, headers)).status == 401)
        let line = try #require(service.logLines().last)
        #expect(line.contains("the header `\(known.header)` is not read") && line.contains(known.fix), "\(line)")
        #expect(!line.contains("VALUE"))
        // The credentials that are read decide, and nothing is missing.
        #expect(try service.exchange(presignRequest(#"{"path":"elsewhere"}"#, headers)).status == 403)
        #expect(service.logLines().last?.contains("is not read") == false)
        let read = try Self.service("header: \(known.header)", guest: guest)
        try verified(try read.exchange(presignRequest(Self.get, key: nil, [known.header + ": " + Self.token()])))
    }

    @Test("A refusal's line shows at most 16 groups, and why values were ignored")
    func groups() throws {
        let service = try Self.service("header: X-Token, claims: {groups: scope, level: level}")
        func line(_ changes: [String: String?], path: String) throws -> String {
            let headers = ["X-Token: " + Self.token(changes)]
            _ = try service.exchange(presignRequest(#"{"path":"\#(path)"}"#, key: nil, headers))
            return try #require(service.logLines().last)
        }
        let refused = try line(["scope": "\"openid files:read\"", "level": "1.5"], path: "elsewhere")
        #expect(
            refused.contains(#""reason":"no-rule","groups":["openid","files:read"],"ignored":["`level` is a number"#))
        let many = "\"" + (0..<40).map { "g\($0)" }.joined(separator: " ") + "\""
        let bounded = try line(["scope": many], path: "elsewhere")
        #expect(bounded.contains(#""g15"]"#) && !bounded.contains(#""g16""#))
        let long = try line(["scope": "\"\(String(repeating: "x", count: 1000))\""], path: "elsewhere")
        #expect(long.contains(String(repeating: "x", count: 256)) && !long.contains(String(repeating: "x", count: 257)))
        let allowed = try line(["scope": "\"openid\"", "level": "1.5"], path: "private/alice/a")
        #expect(!allowed.contains("groups") && !allowed.contains("ignored"))
    }
}
