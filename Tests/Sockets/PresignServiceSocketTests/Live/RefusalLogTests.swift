import SocketTestSupport
import Testing

@testable import CallerAuthentication
@testable import Telemetry

@Suite("Log lines for rejections by the HTTP server", .serialized)
struct RefusalLogTests {
    /// The input, and the logged properties.
    struct Refusal: Sendable {
        let sent: String
        /// Whether the client closes its sending direction after the input.
        var ends = false
        let status: Int
        var method: String?
        var path: String?
    }

    private static let start = "POST /presign HTTP/1.1\r\nHost: a\r\n"
    private static let asked = presignRequest(
        #"{"path":"public/a","validateObjectExistence":true}"#,
        ["X-Request-Id: mine", "Origin: https://app.example.com"])

    @Test(
        "A rejection is logged with the peer and the parsed part of the request",
        arguments: [
            Refusal(sent: start + "Bad Name: x\r\n\r\n", status: 400, method: "POST", path: "/presign"),
            Refusal(sent: "POST /a?b HTTP/1.1\r\n\r\n", status: 400, method: "POST", path: "/a"),
            Refusal(sent: start + "Con", ends: true, status: 400, method: "POST", path: "/presign"),
            Refusal(
                sent: start + "Content-Length: 9\r\n\r\n{", ends: true, status: 400, method: "POST", path: "/presign"),
            Refusal(sent: "POST /presign\r\n", status: 400),
            Refusal(sent: "POST /presign#a HTTP/1.1\r\n", status: 400),
            Refusal(sent: "\u{16}\u{03}\u{01}", status: 400),
            Refusal(sent: start + "Con", status: 408, method: "POST", path: "/presign"),
            Refusal(sent: "POST /pre", status: 408),
            Refusal(sent: "POST /" + String(repeating: "a", count: 600), status: 414),
            Refusal(
                sent: start + "A: " + String(repeating: "a", count: 3000), status: 431, method: "POST",
                path: "/presign"),
            Refusal(sent: "BREW /pot HTTP/1.1\r\n", status: 501, method: "BREW", path: "/pot"),
            Refusal(sent: "CONNECT a:1 HTTP/1.1\r\n", status: 501, method: "CONNECT"),
            Refusal(sent: "ABCDEFGHIJKLMNOPQ /a HTTP/1.1\r\n", status: 501, path: "/a"),
            Refusal(sent: "POST /presign HTTP/2.0\r\n", status: 505),
        ])
    func refusal(_ refusal: Refusal) throws {
        var configuration = LiveConfiguration()
        configuration.timeouts = "{header: 2s, body: 2s}"
        let service = try LiveService(configuration.yaml)
        // Earlier requests were stored in the same memory.
        _ = try service.exchange("DELETE /before HTTP/1.1\r\nHost: a\r\n\r\n")
        let client = try RawClient(port: service.port)
        client.send(refusal.sent)
        if refusal.ends { client.finishSending() }
        let response = try #require(try client.response())
        let lines = try LogLine.all(of: service).dropFirst()
        #expect(response.status == refusal.status && lines.map(\.status) == [refusal.status])
        #expect(lines.last?.method == refusal.method && lines.last?.path == refusal.path)
        #expect(lines.last?.peer == "127.0.0.1" && lines.last?.requestId == response["x-request-id"])
    }

    /// A service whose storage does not respond.
    private func waitingService(answer: String) throws -> LiveService {
        var configuration = LiveConfiguration()
        configuration.timeouts = "{answer: \(answer), drain: 1s}"
        return try LiveService(
            configuration.yaml + "\naudit: {to: stdout}\nexistence: {timeout: 100ms}\n",
            holdsHeads: true)
    }

    /// Expects that log, audit and response describe the same request.
    private func expectOneFailure(_ response: RawResponse, _ status: Int, of service: LiveService) throws {
        #expect(response.status == status && response["x-request-id"] == "mine")
        #expect(response["access-control-allow-origin"] == "https://app.example.com")
        service.audit?.flush()
        let lines = service.logLines()
        let log = try LogLine.all(in: lines.filter { !$0.contains(#""event":"#) })
        #expect(log.map(\.status) == [status] && log.map(\.requestId) == ["mine"])
        #expect(log.map(\.method) == ["POST"] && log.map(\.path) == ["/presign"])
        #expect(log.map(\.peer) == ["127.0.0.1"] && log.map(\.caller) == ["apikey:web"])
        #expect(log.map(\.key) == ["public/a"] && log.allSatisfy { $0.reason != nil })
        let audit = lines.filter { $0.contains(#""event":"#) }
        #expect(audit.count == 1 && audit[0].contains(#""outcome":"failed","status":\#(status)"#))
        #expect(audit.first?.contains(#""key":"public/a""#) == true)
    }

    @Test("An existence check that times out is logged once with all details, and not again when it ends")
    func timeout() throws {
        let service = try waitingService(answer: "1s")
        let response = try service.exchange(Self.asked)
        #expect(response.text.contains("was not complete within server.timeouts.answer"))
        try expectOneFailure(response, 504, of: service)
        service.releaseHeads()
        try expectOneFailure(response, 504, of: service)
        let metrics = try service.exchange("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n").text
        #expect(metrics.contains("\npresign_http_requests_in_flight 0\n"))
        #expect(metrics.contains(#"presign_http_requests_total{route="/presign",status="504"} 1"#))
        #expect(!metrics.contains(#"{route="/presign",status="200"}"#))
    }

    @Test("A dropped request is logged once with all details")
    func abandoned() throws {
        let service = try waitingService(answer: "1h")
        let client = try RawClient(port: service.port)
        client.send(Self.asked)
        service.awaitHead()
        service.dropHeads()
        try expectOneFailure(try #require(try client.response()), 500, of: service)
    }

    @Test("Shed requests are logged in one line per second without details, even with their own responses")
    func shared() throws {
        var configuration = LiveConfiguration()
        configuration.limits = "{inFlight: 1}"
        let service = try LiveService(configuration.yaml, holdsHeads: true)
        let waiting = try RawClient(port: service.port)
        waiting.send(Self.asked)
        service.awaitHead()
        let start = ContinuousClock.now
        let client = try RawClient(port: service.port)
        let ids = (0..<100).map { "own-\($0)" }
        for id in ids {
            let own = ["Origin: https://app.example.com", "X-Request-Id: \(id)"]
            client.send(presignRequest(#"{"path":"public/a"}"#) + presignRequest(#"{"path":"public/a"}"#, own))
        }
        for id in ids {
            #expect(try client.response()?.status == 503)
            let own = try client.response()
            #expect(own?.status == 503 && own?["x-request-id"] == id)
            #expect(own?["access-control-allow-origin"] == "https://app.example.com")
        }
        let lines = try LogLine.all(of: service)
        #expect(1...Int((ContinuousClock.now - start) / .seconds(1)) + 1 ~= lines.count)
        #expect(lines.allSatisfy { $0.status == 503 && $0.method == nil && $0.path == nil && $0.peer == nil })
        service.releaseHeads()
        #expect(try waiting.response()?.status == 200)
        let metrics = try service.exchange("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n").text
        #expect(metrics.contains("\npresign_http_shed_total 200\n"))
    }
}
