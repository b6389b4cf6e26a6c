import Cryptography
import SocketTestSupport
import TestSupport
import Testing

@testable import CallerAuthentication
@testable import HTTPClient
@testable import System

@Suite("Fetching the keys of an issuer")
struct RemoteKeyFetcherTests {
    private static let keySet = TokenFixture.set([TokenFixture.rsa.jwk(#","kid":"a""#)])

    /// Where the keys of an issuer at this port are fetched.
    private static func source(
        _ port: UInt16, scheme: String = "http", isDiscovery: Bool = false
    ) throws -> RemoteKeySource {
        let server = "\(scheme)://127.0.0.1:\(port)"
        let issuer = server + "/tenant"
        let url = try #require(
            isDiscovery ? RemoteKeySource.discoveryURL(of: issuer) : RemoteKeySource.url(server + "/keys"))
        return RemoteKeySource(
            issuerName: "users", issuer: Array(issuer.utf8), url: url, isDiscovery: isDiscovery, algorithms: [.rs256],
            maxStale: 86_400)
    }

    /// A discovery document; the changes replace members of the same name, or remove them if nil.
    private static func document(_ port: UInt16, _ changes: [String: String?] = [:]) -> String {
        let base = "http://127.0.0.1:\(port)"
        var members: [String: String?] = [
            "issuer": "\"\(base)/tenant\"", "jwks_uri": "\"\(base)/keys\"",
            "authorization_endpoint": "\"\(base)/authorize\"", "token_endpoint": "\"\(base)/token\"",
            "end_session_endpoint": "\"\(base)/logout\"", "scopes_supported": #"["openid"]"#,
        ]
        members.merge(changes) { $1 }
        return "{" + members.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }.joined(separator: ",")
            + "}"
    }

    private static func failure(_ fetcher: RemoteKeyFetcher) -> String? {
        do throws(KeyFailure) {
            _ = try fetcher.fetch()
            return nil
        } catch {
            return error.description
        }
    }

    @Test("A JWK set is fetched with the time that it may be cached")
    func keySet() throws {
        let endpoint = try FakeEndpoint { _ in
            [.response(200, Self.keySet, fields: ["Cache-Control: public, max-age=600", "Age: 100"])]
        }
        let (keys, freshFor) = try RemoteKeyFetcher(try Self.source(endpoint.port)).fetch()
        #expect(keys.keyIDs == ["a"] && freshFor == 500 && keys.endpoints == nil)
        #expect(endpoint.requests.map(\.target) == ["/keys"])
    }

    @Test("Discovery finds the key set and the endpoints for signing in")
    func discovery() throws {
        let endpoint = try FakeEndpoint { _ in [] }
        let port = endpoint.port
        endpoint.change { request in
            [.response(200, request.target == "/keys" ? Self.keySet : Self.document(port))]
        }
        let keys = try RemoteKeyFetcher(try Self.source(port, isDiscovery: true)).fetch().keys
        #expect(keys.keyIDs == ["a"])
        #expect(keys.endpoints?.authorization == "http://127.0.0.1:\(port)/authorize")
        #expect(keys.endpoints?.token == "http://127.0.0.1:\(port)/token")
        #expect(endpoint.requests.map(\.target) == ["/tenant/.well-known/openid-configuration", "/keys"])
    }

    @Test(
        "A document without valid endpoints has keys but nowhere to sign in",
        arguments: ["authorization_endpoint", "token_endpoint"],
        [nil, "1", "\"\"", "\"javascript:alert(1)\"", "\"http://idp.example/\"", "\"https://u@idp.example/\""]
            as [String?])
    func noEndpoints(name: String, value: String?) throws {
        let endpoint = try FakeEndpoint { _ in [] }
        let port = endpoint.port
        endpoint.change { request in
            [.response(200, request.target == "/keys" ? Self.keySet : Self.document(port, [name: value]))]
        }
        let keys = try RemoteKeyFetcher(try Self.source(port, isDiscovery: true)).fetch().keys
        #expect(keys.keyIDs == ["a"] && keys.endpoints == nil)
    }

    @Test(
        "A document of another issuer, or without a valid key set, is refused and its key set is not fetched",
        arguments: [
            (["issuer": #""https://evil.example/""#], "another issuer"), (["issuer": nil], "another issuer"),
            (["issuer": #""http://127.0.0.1/tenant""#], "another issuer"), (["issuer": "1"], "another issuer"),
            (["jwks_uri": nil], "`jwks_uri`"), (["jwks_uri": #""http://idp.example/keys""#], "`jwks_uri`"),
            (["jwks_uri": #""file:///etc/passwd""#], "`jwks_uri`"), (["jwks_uri": "[]"], "`jwks_uri`"),
        ] as [([String: String?], String)])
    func wrongDocument(changes: [String: String?], reason: String) throws {
        let endpoint = try FakeEndpoint { _ in [] }
        let port = endpoint.port
        endpoint.change { _ in [.response(200, Self.document(port, changes))] }
        let failure = Self.failure(RemoteKeyFetcher(try Self.source(port, isDiscovery: true)))
        #expect(failure?.contains(reason) == true, "\(failure ?? "")")
        #expect(endpoint.requests.count == 1)
    }

    @Test("The issuer in the document is compared byte by byte, also its last slash")
    func slash() throws {
        let endpoint = try FakeEndpoint { _ in [] }
        let port = endpoint.port
        endpoint.change { _ in [.response(200, Self.document(port, ["issuer": "\"http://127.0.0.1:\(port)/tenant/\""]))]
        }
        #expect(
            Self.failure(RemoteKeyFetcher(try Self.source(port, isDiscovery: true)))?.contains("another issuer") == true
        )
    }

    static let hostile: [(name: String, steps: [FakeEndpoint.Step], reason: String)] = [
        ("failing", [.response(500)], "status 500"), ("absent", [.response(404, "{}")], "status 404"),
        ("redirecting", [.response(302, fields: ["Location: https://evil.example/"])], "is redirected (status 302)"),
        ("redirecting for good", [.response(308, fields: ["Location: /other"])], "is redirected (status 308)"),
        ("huge", [.send("HTTP/1.1 200 OK\r\nContent-Length: 10000000\r\n\r\n"), .hang], "larger than 262144 bytes"),
        ("endless", [.send("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: " ", count: 300_000)), .hang], "larger than"),
        (
            "slow",
            [
                .send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"),
                .dribble(String(repeating: " ", count: 9999), milliseconds: 50),
            ], "timed out"
        ),
        ("silent", [.hang], "timed out"), ("closing", [], "closed"),
        ("not HTTP", [.send("SSH-2.0-x\r\n")], "not valid HTTP"),
        ("cut short", [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"), .finish], "closed"),
        ("a page", [.response(200, "<html>")], "is not valid JSON"),
        ("no keys", [.response(200, #"{"keys":[]}"#)], "no usable key"),
        ("private", [.response(200, #"{"keys":[{"kty":"RSA","d":"AQ"}]}"#)], "a private key"),
        (
            "many keys", [.response(200, "{\"keys\":[" + String(repeating: "{},", count: 100) + "{}]}")],
            "more than 100 keys"
        ),
    ]

    @Test("A hostile or broken endpoint is a failure within the time limit", arguments: hostile.indices)
    func broken(index: Int) throws {
        let (name, steps, reason) = Self.hostile[index]
        let endpoint = try FakeEndpoint { _ in steps }
        var fetcher = RemoteKeyFetcher(try Self.source(endpoint.port))
        if reason == "timed out" { fetcher.timeout = .milliseconds(500) }
        let failure = Self.failure(fetcher)
        #expect(failure?.contains(reason) == true, "\(name): \(failure ?? "no failure")")
        #expect(failure?.hasPrefix("auth.jwt users: http://127.0.0.1:\(endpoint.port)/keys: ") == true)
        #expect(endpoint.requests.count == 1)
    }

    @Test("One time limit holds for the document and the key set together")
    func wholeTime() throws {
        let endpoint = try FakeEndpoint { _ in [] }
        let port = endpoint.port
        endpoint.change { request in
            request.target == "/keys" ? [.hang] : [.response(200, Self.document(port))]
        }
        var fetcher = RemoteKeyFetcher(try Self.source(port, isDiscovery: true))
        fetcher.timeout = .milliseconds(500)
        #expect(Self.failure(fetcher)?.contains("/keys: cannot be fetched: the request timed out") == true)
    }

    @Test("Over TLS only a server with a certificate of a trusted authority is asked")
    func trust() throws {
        let certificates = try TestCertificates.shared
        let server = try ServerTLS(
            chain: bytes(of: certificates.server.certificate), key: bytes(of: certificates.server.key))
        let endpoint = try FakeEndpoint(tls: server) { _ in [.response(200, Self.keySet)] }
        var fetcher = RemoteKeyFetcher(try Self.source(endpoint.port, scheme: "https"))
        for untrusted in [nil, certificates.clients.certificate] {
            fetcher.authorities = untrusted
            #expect(Self.failure(fetcher)?.contains("TLS: ") == true)
        }
        #expect(endpoint.requests.isEmpty)
        fetcher.authorities = certificates.servers.certificate
        #expect(try fetcher.fetch().keys.keyIDs == ["a"])
    }

    @Test("A document that was fetched over TLS cannot lead to a plain server of this machine")
    func downgrade() throws {
        let source = RemoteKeySource(
            issuerName: "users", issuer: Array("https://idp.example".utf8),
            url: try #require(RemoteKeySource.discoveryURL(of: "https://idp.example")), isDiscovery: true,
            algorithms: [.rs256], maxStale: 86_400)
        let json = #"{"issuer":"https://idp.example","jwks_uri":"http://127.0.0.1:9000/keys"}"#
        #expect(throws: KeySetFailure.self) { _ = try DiscoveryDocument(Array(json.utf8), from: source) }
    }

    @Test(
        "The time to cache is the shortest max-age less the age; no-store and no-cache allow none",
        arguments: [
            ([], nil), (["Cache-Control: max-age=60"], 60), (["cache-control: Public, MAX-AGE=60"], 60),
            (["Cache-Control: max-age=60", "Cache-Control: max-age=30"], 30),
            (["Cache-Control: max-age=60, no-store"], 0),
            (["Cache-Control: no-cache"], 0), (["Cache-Control: max-age=60", "Age: 70"], 0),
            (["Cache-Control: max-age=60", "Age: x"], 60), (["Cache-Control: max-age=-1"], nil),
            (["Cache-Control: max-age=99999999999999999999"], nil), (["Cache-Control: s-maxage=9, private"], nil),
            (["Expires: Thu, 01 Jan 2099 00:00:00 GMT"], nil),
        ] as [([String], Int?)])
    func caching(fields: [String], expected: Int?) throws {
        let endpoint = try FakeEndpoint { _ in [.response(200, Self.keySet, fields: fields)] }
        #expect(try RemoteKeyFetcher(try Self.source(endpoint.port)).fetch().freshFor == expected)
    }
}
