import HTTPServerTestSupport
import Requests
import SocketTestSupport
import Testing

@testable import CallerAuthentication
@testable import PresignServiceTestSupport
@testable import Telemetry

@Suite("Log lines for rejections by the HTTP server")
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
        var configuration = SampleConfiguration()
        configuration.timeouts = "{header: 2s, body: 2s}"
        let service = try TestService(configuration.yaml)
        // Earlier requests were stored in the same memory.
        _ = try service.exchange("DELETE /before HTTP/1.1\r\nHost: a\r\n\r\n")
        let client = service.connect()
        client.send(refusal.sent)
        if refusal.ends { client.finishSending() }
        if refusal.status == 408 { service.advance(by: .seconds(2)) }
        let response = try #require(try client.response())
        let lines = try LogLine.all(of: service).dropFirst()
        #expect(response.status == refusal.status && lines.map(\.status) == [refusal.status])
        #expect(lines.last?.method == refusal.method && lines.last?.path == refusal.path)
        #expect(lines.last?.peer == "127.0.0.1" && lines.last?.requestId == response["x-request-id"])
    }

    /// A service whose storage does not respond.
    private func waitingService(answer: String) throws -> TestService {
        var configuration = SampleConfiguration()
        configuration.timeouts = "{answer: \(answer), drain: 1s}"
        return try TestService(
            configuration.yaml + "\naudit: {to: stdout}\nexistence: {timeout: 100ms}\n",
            holdsHeads: true)
    }

    /// Expects that log, audit and response describe the same request.
    private func expectOneFailure(_ response: RawResponse, _ status: Int, of service: TestService) throws {
        #expect(response.status == status && response["x-request-id"] == "mine")
        #expect(response["access-control-allow-origin"] == "https://app.example.com")
        let log = try LogLine.all(of: service)
        #expect(log.map(\.status) == [status] && log.map(\.requestId) == ["mine"])
        #expect(log.map(\.method) == ["POST"] && log.map(\.path) == ["/presign"])
        #expect(log.map(\.peer) == ["127.0.0.1"] && log.map(\.caller) == ["caller:web"])
        #expect(log.map(\.key) == ["public/a"] && log.allSatisfy { $0.reason != nil })
        let audit = service.auditLines()
        #expect(audit.count == 1 && audit[0].contains(#""outcome":"failed","status":\#(status)"#))
        #expect(audit.first?.contains(#""key":"public/a""#) == true)
    }

    @Test("An existence check that times out is logged once with all details, and not again when it ends")
    func timeout() throws {
        let service = try waitingService(answer: "1s")
        let client = service.connect()
        client.send(Self.asked)
        service.advance(by: .seconds(1))
        let response = try #require(try client.response())
        #expect(response.text.contains("was not complete within server.timeouts.answer"))
        try expectOneFailure(response, 504, of: service)
        service.storage.release()
        try expectOneFailure(response, 504, of: service)
        let metrics = try service.exchange("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n").text
        #expect(metrics.contains("\npresign_http_requests_in_flight 0\n"))
        #expect(metrics.contains(#"presign_http_requests_total{route="/presign",status="504"} 1"#))
        #expect(!metrics.contains(#"{route="/presign",status="200"}"#))
    }

    @Test("A dropped request is logged once with all details")
    func abandoned() throws {
        let service = try waitingService(answer: "1h")
        let client = service.connect()
        client.send(Self.asked)
        service.storage.awaitRequest()
        service.storage.drop()
        try expectOneFailure(try #require(try client.response()), 500, of: service)
    }
}
