import HTTPServerTestSupport
import PresigningTestSupport
import SocketTestSupport
import System
import Testing

@testable import PresignServiceTestSupport

@Suite("Basic authentication on plain links")
struct LinkCallerTests {
    private typealias Key = SampleConfiguration.Key
    private static let bearer = #"Bearer realm="presign""#
    private static let challenge = #"Basic realm="presign""#

    private static func yaml(links: String = "true") -> String {
        var configuration = SampleConfiguration()
        configuration.links = true
        return configuration.yaml.replacing("links: true}", with: "links: \(links)}")
            .replacing("  archive: {", with: "  archive: {links: true, ")
    }

    private static func request(_ method: String, _ target: String, _ headers: [String]) -> String {
        (["\(method) \(target) HTTP/1.1", "Host: presign.test", "Content-Length: 0"] + headers)
            .joined(separator: "\r\n") + "\r\n\r\n"
    }

    @Test(
        "The password is a key, and the user name is not read", arguments: ["GET", "HEAD", "PUT"],
        [
            (basic(Key.web), 307), (basic(Key.web, user: ""), 307), (basic(Key.wrongSecret), 401),
            (basic("x", user: Key.web), 401), (basic(""), 401), ("Authorization: Basic !", 401),
            ("\(basic(Key.web))\r\nX-API-Key: \(Key.web)", 400),
        ])
    func password(method: String, line: (String, Int)) throws {
        let service = try TestService(Self.yaml())
        let response = try service.exchange(Self.request(method, "/o/public/a", [line.0]), omitsBody: method == "HEAD")
        #expect(response.status == line.1, "\(response.text)")
        #expect(response.values("www-authenticate").allSatisfy { $0.hasPrefix(Self.bearer) })
    }

    @Test(
        "A browser that remembers a password does not send it for the pages of others",
        arguments: [
            ("Sec-Fetch-Site: cross-site", 403), ("Sec-Fetch-Site: same-origin", 307), ("Sec-Fetch-Site: none", 307),
            ("Origin: https://evil.example", 403), ("Origin: null", 403), ("Origin: https://app.example.com", 307),
            ("Origin: https://app.example.com\r\nSec-Fetch-Site: cross-site", 403),
        ], ["GET", "PUT"])
    func foreign(line: (String, Int), method: String) throws {
        let service = try TestService(Self.yaml())
        let response = try service.exchange(Self.request(method, "/o/public/a", [basic(Key.web), line.0]))
        #expect(response.status == line.1, "\(response.text)")
        if line.1 == 403 { #expect(try response.problem().code == "foreign-origin") }
        // A page that has a key itself may be of any site.
        let own = try service.exchange(Self.request(method, "/o/public/a", ["X-API-Key: \(Key.web)", line.0]))
        #expect(own.status == 307)
    }

    @Test(
        "Only the store with `challenge: basic` asks for a password, and only clients of this machine without TLS",
        arguments: [
            ("/o/public/a", true, PeerAddress.ipv4(0x7F00_0001)), ("/o/public/a", true, .unix),
            ("/o/public/a?store=archive", false, .ipv4(0x7F00_0001)), ("/o/public/a", false, .ipv4(0x0A00_0001)),
            ("/presign", false, .ipv4(0x7F00_0001)),
        ])
    func challenges(target: String, isAsked: Bool, peer: PeerAddress) throws {
        let service = try TestService(Self.yaml(links: "{challenge: basic}"))
        for headers in [[], ["X-API-Key: \(Key.wrongSecret)"]] {
            let client = service.connect(from: peer)
            client.send(Self.request(target == "/presign" ? "POST" : "GET", target, headers))
            let response = try #require(try client.response())
            let challenges = response.values("www-authenticate")
            guard target != "/presign" || !headers.isEmpty else { continue }
            #expect(response.status == 401 && challenges.first?.hasPrefix(Self.bearer) == true, "\(response.text)")
            #expect(challenges.dropFirst() == (isAsked ? [Self.challenge] : []))
        }
        let allowed = try service.exchange(Self.request("GET", "/o/public/a", [basic(Key.web)]))
        #expect(allowed.status == 307 && allowed["www-authenticate"] == nil)
    }
}
