import SocketTestSupport
import Testing

@testable import HTTPClient
@testable import System

@Suite("HTTP fetches over TLS")
struct SecureFetchTests {
    private static let body = String(repeating: "0123456789", count: 5000)

    private static func fetch(
        _ steps: [FakeEndpoint.Step], host: String = "localhost", authorities: String? = nil,
        within time: Duration = .seconds(20)
    ) throws -> FetchResponse {
        let certificates = try TestCertificates.shared
        let server = try ServerTLS(
            chain: bytes(of: certificates.server.certificate), key: bytes(of: certificates.server.key))
        let endpoint = try FakeEndpoint(tls: server) { _ in steps }
        defer { endpoint.stop() }
        let url = try #require(FetchURL("https://\(host):\(endpoint.port)/x"))
        return try HTTPFetch.response(
            to: FetchRequest(.get, url), fromOneOf: [.ipv4(0x7F00_0001)],
            authorities: authorities ?? certificates.servers.certificate, by: MonotonicTime.after(time))
    }

    @Test("Reads a response of many records, from a name and from an address", arguments: ["localhost", "127.0.0.1"])
    func good(host: String) throws {
        let response = try Self.fetch([.response(200, Self.body)], host: host)
        #expect(response.status == 200 && response.body == Array(Self.body.utf8))
    }

    @Test("A response without a length must end with a TLS close")
    func ends() throws {
        let steps = [FakeEndpoint.Step.send("HTTP/1.1 200 OK\r\n\r\n" + Self.body)]
        #expect(try Self.fetch(steps + [.finish]).body.count == Self.body.utf8.count)
        #expect(throws: FetchFailure.cutShort) { _ = try Self.fetch(steps) }
    }

    @Test("Truncated, malformed, too large and late responses fail as without TLS")
    func bad() throws {
        let head = "HTTP/1.1 200 OK\r\n"
        let cases: [([FakeEndpoint.Step], FetchFailure)] = [
            ([.send(head + "Content-Length: 9\r\n\r\n0"), .finish], .cutShort), ([.send("SSH-2.0\r\n")], .malformed),
            ([.send(head + "Content-Length: 70000\r\n\r\n")], .tooLarge(65_536)), ([.hang], .timedOut),
        ]
        for (steps, expected) in cases {
            #expect(throws: expected) {
                _ = try Self.fetch(steps, within: expected == .timedOut ? .milliseconds(500) : .seconds(20))
            }
        }
    }

    @Test("A certificate for another host or of an unknown authority is rejected before any data is sent")
    func trust() throws {
        let certificates = try TestCertificates.shared
        let (right, wrong) = (certificates.servers.certificate, certificates.clients.certificate)
        for (host, authorities) in [
            ("example.org", right), ("127.0.0.2", right), ("localhost", wrong), ("localhost", "/nonexistent"),
            ("localhost", "/etc/ssl/certs/ca-certificates.crt"),
        ] {
            let failure = #expect(throws: FetchFailure.self) {
                _ = try Self.fetch([.response(200, "SECRET")], host: host, authorities: authorities)
            }
            guard case .insecure = failure else {
                Issue.record("\(host): \(String(describing: failure))")
                continue
            }
            #expect(failure?.isAbsence == false)
        }
    }
}
