import HTTPServerTestSupport
import Requests
import SocketTestSupport
import Testing

@testable import PresignServiceTestSupport

@Suite("Callers behind a trusted proxy")
struct ProxiedCallerTests {
    private typealias Key = SampleConfiguration.Key
    private static let secret = "0123456789abcdef0123456789abcdef"
    private static let shown = "X-Proxy-Secret: \(secret)"
    private static let user = "X-Auth-User: alice"
    private static let get = #"{"path":"public/a"}"#
    private static let mine = #"{"path":"private/alice/a"}"#

    private static func service(
        from: String = "127.0.0.1/32", client: Bool = false, quotas: String = "{}", guest: Bool = false
    ) throws -> TestService {
        var configuration = SampleConfiguration()
        configuration.proxy =
            "proxy: {from: [\(from)], secretHeader: X-Proxy-Secret, secretFile: secret, identity: X-Auth-User"
            + (client ? ", clientAddress: X-Forwarded-For}" : "}")
        configuration.quotas = quotas
        configuration.guest = guest
        return try TestService(configuration.yaml, files: ["secret": secret])
    }

    @Test("The user in the proxy's header is the caller")
    func believed() throws {
        let service = try Self.service()
        try verified(try service.exchange(presignRequest(Self.mine, key: nil, [Self.shown, Self.user])))
        let other = try service.exchange(presignRequest(Self.mine, key: nil, [Self.shown, "X-Auth-User: bob"]))
        #expect(other.status == 403)
        // Without a user header the request may have an API key, or be anonymous.
        try verified(try service.exchange(presignRequest(Self.get, [Self.shown])))
        #expect(try service.exchange(presignRequest(Self.get, key: nil, [Self.shown])).status == 401)
        #expect(service.logLines().first?.contains(#""caller":"proxy:alice""#) == true)
    }

    @Test(
        "Invalid proxy headers are rejected",
        arguments: [
            [user], ["X-Proxy-Secret: 1" + secret.dropFirst(), user], [shown, user, user], [shown, "X-Auth-User: a/b"],
            [shown, "X-Auth-User:"], [shown, user, "X_Auth_User: bob"], [shown, user, "Connection: X-Auth-User"],
            [shown, "X-Auth-User: a\u{eb}b\u{c}"],
        ], [true, false])
    func refused(headers: [String], fromProxy: Bool) throws {
        let service = try Self.service(from: fromProxy ? "127.0.0.1/32" : "192.0.2.0/24", guest: true)
        for key in [nil, Key.web] {
            let response = try service.exchange(presignRequest(Self.get, key: key, headers))
            #expect(response.status == 400 && response["www-authenticate"] == nil)
        }
    }

    @Test("Valid headers from any other peer are rejected")
    func foreignPeer() throws {
        let service = try Self.service(from: "127.0.0.2/32, unix, \"::1\"")
        let response = try service.exchange(presignRequest(Self.get, key: nil, [Self.shown, Self.user]))
        #expect(try response.status == 400 && response.problem().code == "proxy-headers")
        #expect(!response.text.contains(Self.secret))
        #expect(service.logLines().last?.contains("a peer that is not in auth.proxy.from") == true)
    }

    @Test("Invalid UTF-8 is not accepted as an identity")
    func notUTF8() throws {
        let service = try Self.service()
        let client = service.connect()
        var request = Array(presignRequest(Self.get, key: nil, [Self.shown, "X-Auth-User: a?b"]).utf8)
        let mark = try #require(request.lastIndex(of: UInt8(ascii: "?")))
        request[mark] = 0xFF
        client.send(request)
        #expect(try client.response()?.status == 400)
        #expect(service.logLines().last?.contains("not a valid path segment") == true)
    }

    @Test("A proxy identity together with other credentials is ambiguous")
    func ambiguous() throws {
        let service = try Self.service()
        for header in ["X-API-Key: \(Key.web)", "Authorization: Bearer \(Key.web)", "Authorization: Basic eA=="] {
            let response = try service.exchange(presignRequest(Self.get, key: nil, [Self.shown, Self.user, header]))
            #expect(try response.status == 400 && response.problem().code == "credentials-ambiguous")
        }
    }

    @Test("Guests are limited by the client's address, and the log has both addresses")
    func clients() throws {
        let service = try Self.service(client: true, quotas: "{perGuest: 1/h}", guest: true)
        func status(_ addresses: String) throws -> Int {
            try service.exchange(
                presignRequest(Self.get, key: nil, [Self.shown, "X-Forwarded-For: " + addresses])
            ).status
        }
        #expect(try status("192.0.2.1") == 200)
        #expect(try status("192.0.2.2") == 200)
        #expect(try status("192.0.2.2, 192.0.2.1") == 429)
        #expect(try status("2001:db8::1") == 200)
        #expect(try status("2001:db8::2") == 429)
        #expect(try status("2001:db8:0:1::2") == 200)
        #expect(try status("192.0.2.1, nonsense") == 400)
        // A request by the proxy's host itself, without the header.
        #expect(try service.exchange(presignRequest(Self.get, key: nil)).status == 200)
        let lines = service.logLines()
        #expect(lines[0].contains(#""peer":"127.0.0.1","client":"192.0.2.1""#))
        #expect(lines.last?.contains(#""client""#) == false)
    }

    @Test("Invalid keys count against the client, invalid secrets against the peer")
    func failures() throws {
        let service = try Self.service(client: true, quotas: "{failedAuthentications: 1/h}")
        func status(_ key: String, _ address: String, secret: String = Self.secret) throws -> Int {
            let headers = ["X-Proxy-Secret: " + secret, "X-Forwarded-For: " + address]
            return try service.exchange(presignRequest(Self.get, key: key, headers)).status
        }
        #expect(try status(Key.off, "192.0.2.1") == 401)
        #expect(try status(Key.off, "192.0.2.1") == 429)
        #expect(try status(Key.web, "192.0.2.1") == 200)
        #expect(try status(Key.off, "192.0.2.2") == 401)
        #expect(try status(Key.web, "192.0.2.2", secret: "0123456789abcdef") == 400)
        #expect(try status(Key.web, "192.0.2.2", secret: "0123456789abcdef") == 429)
        // Requests with the right secret are served, whatever others tried from the proxy's address.
        #expect(try status(Key.web, "192.0.2.2") == 200)
    }

    @Test("Without client addresses, invalid keys behind the proxy do not block callers that the proxy identifies")
    func sharedAddress() throws {
        let service = try Self.service(quotas: "{failedAuthentications: 1/h}")
        for status in [401, 429] {
            #expect(try service.exchange(presignRequest(Self.get, key: Key.off, [Self.shown])).status == status)
        }
        try verified(try service.exchange(presignRequest(Self.mine, key: nil, [Self.shown, Self.user])))
    }

    @Test("A rejection before the body logs the client and reports its rate limit")
    func refusedHead() throws {
        let service = try Self.service(client: true, quotas: "{perCaller: 1/h, headers: true}")
        let headers = [Self.shown, "X-Forwarded-For: 192.0.2.1", "Expect: 100-continue"]
        let bad = try service.exchange(presignRequest(Self.get, key: Key.off, headers))
        #expect(bad.status == 401)
        #expect(service.logLines().last?.contains(#""client":"192.0.2.1""#) == true)
        #expect(try service.exchange(presignRequest(Self.get)).status == 200)
        let late = try service.exchange(presignRequest(Self.get, headers))
        #expect(late.status == 429 && late["ratelimit"] != nil)
        #expect(service.logLines().last?.contains(#""caller":"caller:web""#) == true)
    }

    @Test("Each identity has its own rate limit")
    func limits() throws {
        let service = try Self.service(quotas: "{perCaller: 1/h}")
        for (user, status) in [("alice", 200), ("bob", 200), ("alice", 429), ("web", 200)] {
            let headers = [Self.shown, "X-Auth-User: " + user]
            #expect(try service.exchange(presignRequest(Self.get, key: nil, headers)).status == status)
        }
        try verified(try service.exchange(presignRequest(Self.get)))
    }
}
