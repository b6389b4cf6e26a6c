import HTTPServerTestSupport
import Requests
import SocketTestSupport
import TestSupport
import Testing

@testable import CallerAuthentication
@testable import PresignServiceTestSupport

@Suite("Requests with tokens")
struct TokenServiceTests {
    private typealias Fixture = TokenFixture
    private static let get = #"{"path":"private/alice/a"}"#
    private static let invalid = #"Bearer realm="presign", error="invalid_token""#

    private static func service(quotas: String = "{}") throws -> TestService {
        var configuration = SampleConfiguration()
        configuration.quotas = quotas
        let jwt = "  jwt:\n" + Fixture.yaml.split(separator: "\n").map { "    \($0)\n" }.joined()
        let yaml = configuration.yaml.replacing("  apiKeys:", with: jwt + "  apiKeys:")
        return try TestService(yaml, files: Fixture.files)
    }

    /// A token that expires in this many seconds.
    private static func token(
        endsIn seconds: Int64 = 600, _ changes: [String: String?] = [:], by key: SigningKey = Fixture.rsa
    ) -> String {
        let now = TestClock.start
        let times: [String: String?] = ["iat": "\(now - 60)", "exp": "\(now + seconds)"]
        return Fixture.token(times.merging(changes) { $1 }, by: .key(key))
    }

    private static func request(_ token: String, body: String = get, _ more: [String] = []) -> String {
        presignRequest(body, key: nil, ["Authorization: Bearer \(token)"] + more)
    }

    @Test("A valid token signs for its own folder repeatedly and is named in the log")
    func accepted() throws {
        let service = try Self.service()
        let token = Self.token()
        for _ in 0..<3 { try verified(try service.exchange(Self.request(token))) }
        let foreign = try service.exchange(Self.request(token, body: #"{"path":"private/bob/a"}"#))
        #expect(foreign.status == 403)
        let lines = service.logLines()
        #expect(lines.count == 4 && lines.allSatisfy { $0.contains(#""caller":"jwt:set:alice""#) })
        let signature = try #require(token.split(separator: ".").last)
        #expect(!lines.joined().contains(signature))
    }

    @Test("At an address blocked for failures, a cached token is accepted and a new one is not verified")
    func exhaustedFailures() throws {
        let service = try Self.service(quotas: "{failedAuthentications: 1/h}")
        let (seen, unseen) = (Self.token(), Self.token(["jti": "\"other\""]))
        try verified(try service.exchange(Self.request(seen)))
        #expect(try service.exchange(Self.request(Self.token(by: Fixture.other))).status == 401)
        for token in [unseen, Self.token(by: Fixture.other), Self.token(endsIn: -60), "x"] {
            let refused = try service.exchange(Self.request(token))
            #expect(refused.status == 429 && refused["retry-after"] != nil)
        }
        try verified(try service.exchange(Self.request(seen)))
        try verified(try service.exchange(presignRequest(#"{"path":"public/a"}"#)))
    }

    @Test("Invalid tokens get exactly the response of invalid keys; only the log has the reason")
    func rejected() throws {
        let service = try Self.service()
        let token = Self.token()
        let cases: [(String, TokenRefusal)] = [
            (Self.token(by: Fixture.other), .wrongSignature), (Self.token(["aud": "\"x\""]), .wrongAudience),
            (Self.token(["iss": "\"x\""]), .unknownIssuer),
            (Self.token(endsIn: -60, by: Fixture.other), .wrongSignature),
            (Self.token(endsIn: -60, ["aud": "\"x\""]), .wrongAudience), (token + "=", .notBase64URL),
            (token.split(separator: ".").dropLast().joined(separator: ".") + ".", .emptySignature),
            ("x", .notThreeParts),
        ]
        let expected = try service.exchange(
            presignRequest(Self.get, key: SampleConfiguration.Key.wrongSecret, ["X-Request-Id: same"]))
        for (token, _) in cases {
            let response = try service.exchange(Self.request(token, ["X-Request-Id: same"]))
            #expect(response.status == 401 && response["www-authenticate"] == Self.invalid)
            #expect(response.text == expected.text)
        }
        // A token is not an API key.
        let asKey = try service.exchange(presignRequest(Self.get, key: token, ["X-Request-Id: same"]))
        #expect(asKey.text == expected.text)
        let lines = service.logLines()
        for (index, (_, refusal)) in cases.enumerated() {
            #expect(lines[index + 1].contains("\"reason\":\"\(refusal.reason)\""), "\(lines[index + 1])")
        }
    }

    @Test(
        "An anonymous user's token makes the caller a guest: accepted where guests are, otherwise rejected",
        arguments: [true, false])
    func anonymous(guestsAreWelcome: Bool) throws {
        var configuration = SampleConfiguration()
        configuration.guest = guestsAreWelcome
        let jwt = "  jwt: [{name: i, preset: supabase, issuer: set, jwks: single.json}]\n"
        let service = try TestService(
            configuration.yaml.replacing("  apiKeys:", with: jwt + "  apiKeys:"), files: Fixture.files)
        let claims = ["iss": "\"set\"", "aud": "\"authenticated\"", "is_anonymous": "true"]
        let now = TestClock.start
        let times: [String: String?] = ["iat": "\(now - 60)", "exp": "\(now + 600)"]
        let token = Fixture.token(header: #"{"alg":"RS256"}"#, times.merging(claims) { $1 })
        let result = try service.exchange(Self.request(token, body: #"{"path":"public/a"}"#))
        #expect(result.status == (guestsAreWelcome ? 200 : 401))
        #expect(service.logLines().last?.contains("anonymous") == !guestsAreWelcome)
    }

    @Test("An expired token is reported as expired")
    func expired() throws {
        let response = try Self.service().exchange(Self.request(Self.token(endsIn: -60)))
        #expect(response.status == 401)
        #expect(response["www-authenticate"] == Self.invalid + #", error_description="The token has expired""#)
        #expect(try response.problem().code == "token-expired")
    }

    @Test("A token together with an API key is ambiguous")
    func ambiguous() throws {
        let more = ["X-API-Key: \(SampleConfiguration.Key.web)"]
        #expect(try Self.service().exchange(Self.request(Self.token(), more)).status == 400)
    }

    @Test(
        "A GitHub Actions job may write by its repository, with the slash, or by its branch",
        arguments: [
            ("repository", "group:acme/site", "builds/a", 200), ("repository", "group:acme/site", "owners/acme/a", 200),
            ("repository", "group:acme", "builds/a", 403), ("repository", "group:site", "builds/a", 403),
            ("repository", "group:acme/site/", "builds/a", 403), ("repository", "group:x", "teams/acme/site/a", 403),
            ("repository", "group:x", "teams/acme%2Fsite/a", 403), ("sub", "group:acme/site", "builds/a", 403),
            ("sub", "group:repo:acme/site:ref:refs/heads/main", "builds/a", 200),
            ("sub", "group:repo:acme/site:ref:refs/heads/mai", "builds/a", 403),
            ("sub", "group:repo:acme/site:ref:refs/heads/main", "own/repo:acme/a", 403),
        ])
    func gitHubActions(claim: String, grantee: String, path: String, status: Int) throws {
        let service = try TestService(
            """
            version: 1
            server: {listen: "127.0.0.1:0", loops: 1}
            stores: {media: {bucket: acme-media, region: eu-west-1}}
            auth:
              jwt:
                - name: actions
                  issuer: https://token.actions.githubusercontent.com
                  audience: presign
                  algorithms: [RS256]
                  jwks: set.json
                  claims: {groups: \(claim), owner: repository_owner}
            rules:
              - {path: "builds/**", allow: {"\(grantee)": [write]}}
              - {path: "teams/{group}/**", allow: {"{group}": [write]}}
              - {path: "owners/{claim.owner}/**", allow: {"{claim.owner}": [write]}}
              - {path: "own/{identity}/**", allow: {owner: [write]}}
            """, files: Fixture.files)
        let token = Self.token([
            "iss": #""https://token.actions.githubusercontent.com""#, "aud": "\"presign\"",
            "sub": #""repo:acme/site:ref:refs/heads/main""#, "repository": #""acme/site""#,
            "repository_owner": "\"acme\"",
        ])
        let response = try service.exchange(Self.request(token, body: #"{"path":"\#(path)","method":"PUT"}"#))
        #expect(response.status == status, "\(response.text)")
    }

    @Test("A service whose token keys cannot be read does not start")
    func broken() throws {
        let yaml = SampleConfiguration().yaml.replacing(
            "  apiKeys:",
            with: "  jwt: [{name: n, issuer: i, audience: a, algorithms: [RS256], jwks: gone.json}]\n  apiKeys:")
        let failure = #expect(throws: KeyFailure.self) { _ = try TestService(yaml) }
        #expect(failure?.description.contains("auth.jwt n: gone.json: ") == true)
    }
}
