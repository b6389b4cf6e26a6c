import Requests
import Testing

@testable import AccessRules
@testable import CallerAuthentication
@testable import DataFormats
@testable import HTTP1
@testable import System

@Suite("Headers of a trusted proxy")
struct TrustedProxyAuthenticatorTests {
    private static let secret = "0123456789abcdef0123456789abcdef"
    private static let good = [("X-Proxy-Secret", secret), ("X-Auth-User", "alice"), ("X-Forwarded-For", "192.0.2.1")]
    private static let loopback = PeerAddress.ipv4(0x7F00_0001)

    private static func proxy(_ file: String, separator: String) throws -> TrustedProxyAuthenticator {
        let yaml = """
            from: [127.0.0.0/8, "fd00::/8"]
            secretHeader: X-Proxy-Secret
            secretFile: secret
            identity: X-Auth-User
            groups: X-Auth-Groups
            separator: "\(separator)"
            clientAddress: X-Forwarded-For
            """
        let configuration = try ConfigurationNode.read(Array(yaml.utf8), file: "c.yaml", ProxyConfiguration.init)
        return try TrustedProxyAuthenticator(configuration, read: { _ in Array(file.utf8) })
    }

    /// The origin that these headers establish; nil if none of the proxy's headers is present.
    private static func origin(
        _ fields: [(String, String)], from peer: PeerAddress = loopback, file: String = secret,
        separator: String = ","
    ) throws -> TrustedProxyAuthenticator.Origin? {
        let proxy = try proxy(file, separator: separator)
        guard let headers = try ProxyHeaders(HTTPHeaders(fields.map { ($0.0, $0.1) }), proxy.names) else { return nil }
        return try proxy.origin(of: headers, from: peer)
    }

    /// The valid headers with some replaced, one removed, and some added.
    private static func headers(
        _ changed: [String: String] = [:], _ added: [(String, String)] = [], without name: String? = nil
    ) -> [(String, String)] {
        good.filter { $0.0 != name }.map { ($0.0, changed[$0.0] ?? $0.1) } + added
    }

    @Test("A trusted proxy's headers determine the caller and the client address")
    func believed() throws {
        let origin = try #require(try Self.origin(Self.headers([:], [("x-auth-groups", "staff,editors, a/b")])))
        #expect(origin.client == .ipv4(0xC000_0201))
        let caller = try #require(origin.caller)
        #expect(caller.scheme == .proxy && !caller.isGuest && caller.identity == Array("alice".utf8))
        #expect(caller.groups == ["staff", "editors", "a/b"].map { Array($0.utf8) })
        #expect(caller.label == Array("proxy:alice".utf8))
        let another = try #require(try Self.origin(Self.headers(), from: .ipv6(0xFD << 56, 9)))
        #expect(another.caller?.groups == [])
        // Requests without a user header, and without any header of the proxy.
        #expect(try #require(try Self.origin(Self.headers(without: "X-Auth-User"))).caller == nil)
        #expect(try Self.origin([("Host", "a"), ("X-Auth-Users", "b"), ("Connection", "keep-alive")]) == nil)
    }

    @Test(
        "An identity is a single safe value",
        arguments: [
            ("alice@example.com", true), ("a b", false), ("zo\u{eb}", true), ("a,b", false),
            ("a/b", false), (".", false), ("..", false), ("%2e%2e", false), ("a\\b", false), ("a\tb", false),
            ("a\u{7f}", false), (String(repeating: "a", count: 256), true), (String(repeating: "a", count: 257), false),
            ("auth0|5f", true), ("a\u{1}", false),
        ])
    func identities(text: String, isTaken: Bool) throws {
        let origin = try? Self.origin(Self.headers(["X-Auth-User": text]))
        #expect(origin?.caller?.identity == (isTaken ? Array(text.utf8) : nil))
    }

    @Test(
        "Groups are split at commas",
        arguments: [
            ("a", ["a"]), ("a,b", ["a", "b"]), ("a, b", ["a", "b"]), ("a,  b", nil), ("a ,b", nil),
            ("a,", ["a"]), (",a", ["a"]), ("a,,b", ["a", "b"]), (",", []), ("a\t", nil), ("a b", nil), ("a,\tb", nil),
            (", a", ["a"]), (", ,a", ["a"]),
        ]
            as [(String, [String]?)])
    func groups(text: String, names: [String]?) throws {
        let origin = try? Self.origin(Self.headers([:], [("X-Auth-Groups", text)]))
        #expect(origin?.caller?.groups == names.map { $0.map { Array($0.utf8) } })
    }

    @Test(
        "Groups are split at the configured separator; a comma still shows that a gateway joined two headers",
        arguments: [
            ("|", "a|b", ["a", "b"]), ("|", "|a||b|", ["a", "b"]), ("|", "a,b", nil), ("|", "a|b,c", nil),
            ("|", "a b", nil), (";", "a; b", ["a", "b"]), (";", "a|b", ["a|b"]), (" ", "a b", ["a", "b"]),
            (" ", " a   b ", ["a", "b"]), (" ", "a, b", nil), (" ", "a\tb", nil),
        ]
            as [(String, String, [String]?)])
    func separators(separator: String, text: String, names: [String]?) throws {
        let origin = try? Self.origin(Self.headers([:], [("X-Auth-Groups", text)]), separator: separator)
        #expect(origin?.caller?.groups == names.map { $0.map { Array($0.utf8) } })
        #expect(try Self.origin(Self.headers(["X-Auth-User": "a|b"]), separator: separator)?.caller?.groups == [])
    }

    @Test("The first 1000 groups count, and the rest are noted")
    func manyGroups() throws {
        let names = (0..<1001).map { "g\($0)" }
        for count in [1000, 1001] {
            let text = names.prefix(count).joined(separator: ",")
            let caller = try #require(try Self.origin(Self.headers([:], [("X-Auth-Groups", text)]))?.caller)
            #expect(caller.groups == names.prefix(1000).map { Array($0.utf8) })
            #expect(caller.ignored.isEmpty == (count == 1000))
        }
    }

    @Test(
        "The client is the last address in the list that is not a trusted proxy",
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("198.51.100.7, 192.0.2.1", "192.0.2.1"),
            ("198.51.100.7,192.0.2.1", "192.0.2.1"),
            ("192.0.2.1, 127.0.0.5", "192.0.2.1"), ("192.0.2.1, 198.51.100.7, fd00::1, 127.0.0.5", "198.51.100.7"),
            ("127.0.0.9, 127.0.0.5", "127.0.0.9"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:db8::1", "2001:db8::1"),
            // With a port, as some proxies write it, and with spaces or tabs around the separators.
            ("192.0.2.1:80", "192.0.2.1"), ("[2001:db8::1]", "2001:db8::1"), ("[2001:db8::1]:65535", "2001:db8::1"),
            ("192.0.2.1 ,\t127.0.0.5:1", "192.0.2.1"), ("192.0.2.1,  198.51.100.7", "198.51.100.7"),
            // Entries before the client's address are not checked.
            ("unknown, 192.0.2.1", "192.0.2.1"), (",192.0.2.1", "192.0.2.1"), ("a, 192.0.2.1, fd00::1", "192.0.2.1"),
            ("unknown", nil), ("unknown, 127.0.0.5", nil), ("192.0.2.1,", nil), ("192.0.2.1 198.51.100.7", nil),
            ("192.0.2.01", nil), ("unix", nil), ("_hidden", nil), ("192.0.2.1:", nil), (":80", nil),
            ("192.0.2.1:100000", nil), ("[192.0.2.1]", nil), ("[2001:db8::1", nil), ("[2001:db8::1]80", nil),
            ("2001:db8::1]:80", nil), ("[]", nil), ("", nil), ("[", nil), ("]", nil), (":", nil),
        ] as [(String, String?)])
    func clients(list: String, client: String?) throws {
        let origin = try? Self.origin(Self.headers(["X-Forwarded-For": list]))
        #expect(origin?.client?.description == client)
    }

    static let refused: [(String, [(String, String)])] = [
        ("a wrong secret", headers(["X-Proxy-Secret": String(secret.reversed())])),
        ("a part of the secret", headers(["X-Proxy-Secret": String(secret.dropLast())])),
        ("no secret", headers(without: "X-Proxy-Secret")),
        ("an address without a secret", [("X-Forwarded-For", "192.0.2.1")]),
        ("duplicate secret", headers([:], [("X-Proxy-Secret", secret)])),
        ("two users", headers([:], [("x-auth-user", "bob")])),
        ("duplicate user", headers([:], [("X-Auth-User", "alice")])),
        ("two lists of addresses", headers([:], [("X-Forwarded-For", "192.0.2.2")])),
        ("no address", headers(without: "X-Forwarded-For")), ("an empty user", headers(["X-Auth-User": ""])),
        ("an empty secret", headers(["X-Proxy-Secret": ""])), ("empty groups", headers([:], [("X-Auth-Groups", "")])),
        ("groups without a user", headers([:], [("X-Auth-Groups", "a")], without: "X-Auth-User")),
        ("underscores", headers([:], [("X_Auth_User", "bob")])),
        ("one underscore", headers([:], [("X-Auth_User", "bob")])),
        ("underscores alone", [("x_auth_groups", "admins")]), ("dots", headers([:], [("X.Auth.User", "bob")])),
        ("an underscore in the secret's name", headers([:], [("X-Proxy_Secret", secret)], without: "X-Proxy-Secret")),
        ("an option of the connection", headers([:], [("Connection", "close, X-Auth-User")])),
        ("options alone", [("connection", "x-auth-groups")]),
        ("a second Connection", headers([:], [("Connection", "close"), ("Connection", "x_proxy_secret")])),
    ]

    @Test("Invalid headers are rejected, not ignored", arguments: refused)
    func refusals(name: String, fields: [(String, String)]) {
        let refusal = #expect(throws: TrustedProxyAuthenticator.Refusal.self) { _ = try Self.origin(fields) }
        #expect(refusal?.isFailedAuthentication == ["a wrong secret", "a part of the secret"].contains(name))
    }

    @Test(
        "From any other peer, each of the headers is rejected, with or without the right secret",
        arguments: [PeerAddress.ipv4(0x0A00_0001), .ipv6(0, 1), .unix])
    func foreignPeers(peer: PeerAddress) {
        for fields in [Self.good] + Self.good.map({ [$0] }) {
            let refusal = #expect(throws: TrustedProxyAuthenticator.Refusal.self) {
                _ = try Self.origin(fields, from: peer)
            }
            // The secret was not compared, so this is not a failed authentication.
            #expect(refusal?.isFailedAuthentication == false)
        }
    }

    @Test("A proxy that only forwards addresses needs no secret and sets no identity")
    func addressAlone() throws {
        let yaml = "{from: [127.0.0.0/8], clientAddress: X-Forwarded-For}"
        let configuration = try ConfigurationNode.read(Array(yaml.utf8), file: "c.yaml", ProxyConfiguration.init)
        let proxy = try TrustedProxyAuthenticator(configuration, read: { _ in [] })
        let fields = HTTPHeaders([("X-Forwarded-For", "198.51.100.7, 192.0.2.1"), ("X-Auth-User", "root")])
        let headers = try #require(try ProxyHeaders(fields, proxy.names))
        let origin = try proxy.origin(of: headers, from: Self.loopback)
        #expect(origin.client == .ipv4(0xC000_0201) && origin.caller == nil)
        #expect(throws: TrustedProxyAuthenticator.Refusal.self) {
            try proxy.origin(of: headers, from: .ipv4(0x0A00_0001))
        }
        let twice = HTTPHeaders([("X-Forwarded-For", "192.0.2.1"), ("X-Forwarded-For", "192.0.2.2")])
        #expect(throws: TrustedProxyAuthenticator.Refusal.self) { try ProxyHeaders(twice, proxy.names) }
    }

    @Test(
        "Unusable secret files are rejected, and the error does not show their content",
        arguments: [
            "", "\n", "only-15-letters", "has a blank in the middle", "two-lines-of-secret\ntwo-lines-of-secret\n",
            "tab\tin-the-middle-of-it",
        ])
    func secretFiles(text: String) throws {
        let failure = #expect(throws: KeyFailure.self) {
            _ = try TrustedProxyAuthenticator.secret(in: "f", read: { _ in Array(text.utf8) })
        }
        #expect(failure?.description.hasPrefix("auth.proxy.secretFile: f: must contain one line of 16 to 1024") == true)
    }

    @Test("One line break after the secret is ignored", arguments: ["", "\n", "\r\n"])
    func lineEnd(end: String) throws {
        #expect(try Self.origin(Self.headers(), file: Self.secret + end)?.caller != nil)
    }
}
