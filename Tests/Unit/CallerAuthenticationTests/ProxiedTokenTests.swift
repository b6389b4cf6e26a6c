import Presigning
import Requests
import TestSupport
import Testing

@testable import AccessRules
@testable import CallerAuthentication
@testable import DataFormats
@testable import HTTP1
@testable import System

@Suite("Tokens in headers that proxies set")
struct ProxiedTokenTests {
    private typealias Fixture = TokenFixture
    private static let time = SigningTime(secondsSince1970: Fixture.now)
    private static let secret = String(repeating: "secret-", count: 10)
    private static let key = "psk_web_" + String(repeating: "W", count: 43)

    /// One issuer for `Authorization`, two for `X-Token`, and one for `X-Other`.
    private static func authenticator(guest: Bool = false) throws -> CallerAuthenticator {
        let rest = "audience: a, algorithms: [HS256], secretFile: f"
        let yaml = """
            guest: \(guest)
            mtls: {identity: san.dns}
            apiKeys: [{id: web, hashes: ["\(APIKey.storedHash(of: key.utf8))"]}]
            jwt:
              - {name: plain, issuer: plain, \(rest)}
              - {name: one, issuer: one, header: X-Token, \(rest)}
              - {name: two, issuer: two, header: x-token, \(rest)}
              - {name: other, issuer: other, header: X-Other, \(rest)}
            """
        let configuration = try ConfigurationNode.read(
            Array(yaml.utf8), file: "c.yaml", AuthenticationConfiguration.init)
        return try CallerAuthenticator(configuration, keys: .unused, read: { _ in Array(secret.utf8) })
    }

    private static func token(_ issuer: String, _ changes: [String: String?] = [:]) -> String {
        Fixture.token(
            "HS256", header: #"{"alg":"HS256"}"#, ["aud": "\"a\""].merging(changes) { $1 }, iss: issuer,
            by: .secret(Array(secret.utf8)))
    }

    /// The caller's label, or a description of any other outcome.
    private static func outcome(
        _ fields: [(String, String)], _ authenticator: CallerAuthenticator, certificate: PeerCertificate? = nil,
        verifies: Bool = true
    ) -> String {
        let outcome = authenticator.outcome(
            for: HTTPHeaders(fields.map { ($0.0, $0.1) }), certificate: certificate, from: .unix, at: time,
            verifiesTokens: verifies)
        switch outcome {
        case .authenticated(let caller): return String(decoding: caller.label, as: UTF8.self)
        case .rejected(let reason): return reason
        default: return "\(outcome)"
        }
    }

    @Test("The token in an issuer's header authenticates, whatever the case of the name")
    func accepted() throws {
        let authenticator = try Self.authenticator()
        for name in ["X-Token", "x-token", "X-TOKEN"] {
            #expect(Self.outcome([("Accept", "*/*"), (name, Self.token("one"))], authenticator) == "jwt:one:alice")
            #expect(Self.outcome([(name, Self.token("two"))], authenticator) == "jwt:two:alice")
        }
        #expect(Self.outcome([("X-Other", Self.token("other"))], authenticator) == "jwt:other:alice")
        #expect(Self.outcome([("X-Tokem", Self.token("one"))], authenticator) == "missing")
        #expect(Self.outcome([("X_Token", Self.token("one"))], authenticator) == "missing")
    }

    @Test("Each issuer's tokens count only in its header, also after they were verified there")
    func places() throws {
        let authenticator = try Self.authenticator()
        let (one, plain, bearer) = (Self.token("one"), Self.token("plain"), "Bearer ")
        for _ in 0..<2 {
            #expect(Self.outcome([("X-Token", one)], authenticator) == "jwt:one:alice")
            #expect(Self.outcome([("Authorization", bearer + plain)], authenticator) == "jwt:plain:alice")
            #expect(Self.outcome([("Authorization", bearer + one)], authenticator).contains("the header x-token"))
            #expect(Self.outcome([("X-Other", one)], authenticator).contains("the header x-token"))
            #expect(Self.outcome([("X-Token", plain)], authenticator).contains("the header authorization"))
        }
        // An exhausted limit of failures lets only cached tokens pass, each in its header.
        #expect(Self.outcome([("X-Token", one)], authenticator, verifies: false) == "jwt:one:alice")
        #expect(Self.outcome([("Authorization", bearer + one)], authenticator, verifies: false) == "unverified")
        #expect(Self.outcome([("X-Token", plain)], authenticator, verifies: false) == "unverified")
    }

    @Test("Authorization and X-API-Key win, valid or not")
    func precedence() throws {
        let authenticator = try Self.authenticator()
        let proxied = ("X-Token", Self.token("one"))
        #expect(Self.outcome([proxied, ("X-API-Key", Self.key)], authenticator) == "caller:web")
        #expect(Self.outcome([("Authorization", "Bearer " + Self.key), proxied], authenticator) == "caller:web")
        let plain = ("Authorization", "Bearer " + Self.token("plain"))
        #expect(Self.outcome([proxied, proxied, plain], authenticator) == "jwt:plain:alice")
        #expect(Self.outcome([proxied, ("X-API-Key", "psk_web_x")], authenticator) == "malformed API key")
        let basic = ("Authorization", "Basic eDp5")
        #expect(Self.outcome([proxied, basic], authenticator) == "the Authorization scheme is not Bearer")
    }

    static let refused: [(String, [(String, String)])] = [
        ("more than one header", [("X-Token", token("one")), ("x-token", token("one"))]),
        ("more than one header", [("X-Token", token("one")), ("X-Other", token("other"))]),
        ("more than one header", [("X-Token", ""), ("X-Token", token("one"))]),
        ("three parts", [("X-Token", "")]), ("three parts", [("X-Token", "x")]), ("three parts", [("X-Token", key)]),
        ("three parts", [("X-Token", token("one") + ", " + token("one"))]),
        ("base64url", [("X-Token", "Bearer " + token("one"))]),
        ("audience", [("X-Token", token("one", ["aud": "\"b\""]))]), ("not configured", [("X-Token", token("x"))]),
        ("expired", [("X-Token", token("one", ["exp": "1"]))]),
    ]

    @Test("Anything but one valid token is refused, also where guests are accepted", arguments: refused, [true, false])
    func refusals(_ test: (reason: String, fields: [(String, String)]), guest: Bool) throws {
        let outcome = Self.outcome(test.fields, try Self.authenticator(guest: guest))
        #expect(outcome.contains(test.reason), "\(outcome)")
    }

    @Test("A client certificate together with a proxy's token is ambiguous")
    func certificate() throws {
        let authenticator = try Self.authenticator()
        let certificate = PeerCertificate(names: [.dns: .one(Array("a.example".utf8))], validity: 0..<2_000_000_000)
        let fields = [("X-Token", Self.token("one"))]
        #expect(Self.outcome(fields, authenticator, certificate: certificate) == "ambiguous")
        #expect(Self.outcome([], authenticator, certificate: certificate) == "certificate:a.example")
    }

    @Test("A known proxy's token that no issuer reads is named, without its value")
    func unread() throws {
        let authenticator = try Self.authenticator(guest: true)
        for (name, fix) in [
            ("Cf-Access-Jwt-Assertion", "`preset: cloudflare-access`"),
            ("X-Goog-IAP-JWT-Assertion", "`preset: google-iap`"), ("X-Amzn-Oidc-Data", "A proxy that signs users in"),
        ] {
            for spelling in [name, name.lowercased()] {
                let notes = authenticator.unreadTokens(in: HTTPHeaders([("Accept", "a"), (spelling, "value")]))
                #expect(notes.count == 1 && notes[0].contains("the header `\(name)` is not read"))
                #expect(notes[0].contains(fix) && !notes[0].contains("value"))
            }
        }
        #expect(authenticator.unreadTokens(in: HTTPHeaders([("X-Token", "a"), ("Cookie", "b")])).isEmpty)
    }
}
