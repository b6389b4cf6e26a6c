import HTTPServerTestSupport
import SocketTestSupport
import Testing

@testable import PresignService
@testable import PresignServiceTestSupport

@Suite("HTTP statuses")
struct StatusTests {
    /// A request and the expected response.
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let request: String
        let status: Int
        var code: String?
        var fields: [String: String] = [:]
        var testDescription: String { name }
    }

    private static let body = #"{"path":"public/a"}"#

    static let routes: [Case] = [
        Case(name: "GET healthz", request: get("/healthz"), status: 200, fields: ["content-length": "3"]),
        Case(name: "GET readyz", request: get("/readyz"), status: 200),
        Case(
            name: "POST healthz", request: get("/healthz", "POST"), status: 405, code: "method-not-allowed",
            fields: ["allow": "GET, HEAD, OPTIONS"]),
        Case(
            name: "GET presign", request: get("/presign"), status: 405, code: "method-not-allowed",
            fields: ["allow": "POST, OPTIONS"]),
        Case(
            name: "known method", request: get("/presign", "PATCH"), status: 405, code: "method-not-allowed",
            fields: ["allow": "POST, OPTIONS"]),
        Case(
            name: "safe method with a body", request: get("/presign", "QUERY"), status: 405, code: "method-not-allowed",
            fields: ["allow": "POST, OPTIONS"]),
        Case(
            name: "unknown method", request: get("/presign", "BREW"), status: 501, code: "not-implemented",
            fields: ["connection": "close"]),
        Case(
            name: "the service in general", request: get("*", "OPTIONS"), status: 204,
            fields: ["allow": "GET, HEAD, POST, PUT, OPTIONS"]),
        Case(name: "root", request: get("/"), status: 404, code: "no-such-route"),
        Case(name: "trailing slash", request: get("/presign/", "POST"), status: 404, code: "no-such-route"),
        Case(name: "escaped path", request: get("/%70resign", "POST"), status: 404, code: "no-such-route"),
        Case(name: "capitals", request: get("/Presign", "POST"), status: 404, code: "no-such-route"),
        Case(
            name: "OPTIONS without Origin", request: get("/presign", "OPTIONS"), status: 204,
            fields: ["allow": "POST, OPTIONS"]),
        Case(
            name: "absolute target",
            request: get("http://presign.test/healthz").replacing("Host: a", with: "Host: presign.test"),
            status: 200),
    ]

    static let types: [Case] =
        [
            ("text/plain", 415), ("multipart/form-data", 415), ("application/jsonx", 415),
            ("application/json; charset=latin1", 415), ("application/json, text/plain", 415),
            ("Application/JSON; Charset=UTF-8", 200), ("application/json;charset=\"utf-8\"", 200),
        ].map {
            Case(
                name: $0.0, request: presignRequest(body, type: $0.0), status: $0.1,
                code: $0.1 == 200 ? nil : unsupported)
        }
        + [
            Case(name: "no type", request: presignRequest(body, type: nil), status: 415, code: unsupported),
            Case(
                name: "two types", request: presignRequest(body, ["Content-Type: application/json"]), status: 415,
                code: unsupported),
            Case(
                name: "gzip", request: presignRequest(body, ["Content-Encoding: gzip"]), status: 415,
                code: unsupported),
        ]

    static let parser: [Case] = [
        Case(
            name: "declared body over the limit", request: head("Content-Length: 4097"), status: 413,
            code: "body-too-large"),
        Case(
            name: "chunked body over the limit",
            request: head("Transfer-Encoding: chunked") + "1001\r\n" + String(repeating: " ", count: 4097) + "\r\n",
            status: 413, code: "body-too-large"),
        Case(
            name: "long target", request: get("/" + String(repeating: "a", count: 512)), status: 414,
            code: "target-too-long"),
        Case(
            name: "other expectation", request: head("Content-Length: 1\r\nExpect: magic"), status: 417,
            code: "expectation-failed"),
        Case(
            name: "header bytes", request: head("X: " + String(repeating: "a", count: 2048)), status: 431,
            code: "headers-too-large"),
        Case(
            name: "header count", request: head(repeated("X: a", 20)), status: 431, code: "headers-too-large"),
        Case(
            name: "transfer coding", request: head("Transfer-Encoding: gzip"), status: 501, code: "not-implemented"),
        Case(name: "version", request: "GET / HTTP/2.0\r\nHost: a\r\n\r\n", status: 505, code: "http-version"),
        Case(
            name: "smuggling", request: head("Content-Length: 3\r\nTransfer-Encoding: chunked"), status: 400,
            code: "malformed-request"),
        Case(name: "no Host", request: "GET /healthz HTTP/1.1\r\n\r\n", status: 400, code: "malformed-request"),
        Case(name: "garbage", request: "\u{16}\u{3}\u{1}\r\n\r\n", status: 400, code: "malformed-request"),
    ]

    private static let unsupported = "unsupported-media-type"

    private static func get(_ target: String, _ method: String = "GET") -> String {
        "\(method) \(target) HTTP/1.1\r\nHost: a\r\n\r\n"
    }

    private static func head(_ lines: String) -> String {
        "POST /presign HTTP/1.1\r\nHost: a\r\n\(lines)\r\n\r\n"
    }

    private static func repeated(_ line: String, _ count: Int) -> String {
        Array(repeating: line, count: count).joined(separator: "\r\n")
    }

    @Test("Each request gets its status, code and headers", arguments: [routes, types, parser].flatMap { $0 })
    func statuses(_ expected: Case) throws {
        let response = try TestService().exchange(expected.request)
        #expect(response.status == expected.status)
        #expect(response["cache-control"] == "no-store" && response["vary"]?.contains("Origin") == true)
        let id = try #require(response["x-request-id"])
        for (name, value) in expected.fields { #expect(response[name] == value) }
        guard let code = expected.code else { return }
        #expect(response["content-type"] == "application/problem+json")
        let problem = try response.problem()
        #expect(problem.code == code && problem.status == expected.status && problem.requestId == id)
    }

    @Test(
        "An unreadable body is rejected with the cause",
        arguments: [
            ("application/json; charset=latin1", [], "The charset must be utf-8"),
            ("application/json; version=2", [], "no parameter but charset=utf-8"),
            (
                "application/json", ["Content-Encoding: gzip"],
                "Content-Encoding is not supported; send the body uncompressed"
            ),
            ("text/plain; charset=latin1", [], "looks like JSON, but its Content-Type is not application/json"),
        ], ["/presign", "/presign/batch"])
    func unreadable(_ given: (type: String, headers: [String], detail: String), route: String) throws {
        let request = presignRequest(Self.body, type: given.type, given.headers)
        let response = try TestService().exchange(request.replacing("POST /presign", with: "POST \(route)"))
        #expect(response.status == 415)
        #expect(try response.problem().detail.hasSuffix(given.detail))
    }

    @Test("A body above the limit is rejected with the limit")
    func tooLarge() throws {
        let response = try TestService().exchange(Self.head("Content-Length: 4097"))
        #expect(response.status == 413 && response.text.contains("Send at most 4096 bytes of fields to this route"))
    }

    @Test("A rejection by the HTTP server itself closes the connection", arguments: parser)
    func closes(_ refused: Case) throws {
        let service = try TestService()
        let client = service.connect()
        client.send(refused.request + Self.get("/healthz"))
        let response = try client.response()
        #expect(response?["connection"] == "close")
        #expect(try client.isClosedByServer())
    }

    @Test("HEAD gets the response of GET without the body", arguments: ["/healthz", "/readyz", "/nowhere", "/presign"])
    func headRequests(target: String) throws {
        let service = try TestService()
        let client = service.connect()
        client.send(Self.get(target, "HEAD") + Self.get(target))
        let head = try #require(try client.response(omitsBody: true))
        let full = try #require(try client.response())
        #expect(head.status == full.status && head["content-type"] == full["content-type"])
        // The ids in the two problems differ, but have the same length.
        #expect(head["content-length"] == full["content-length"] && !full.body.isEmpty)
    }

    @Test(
        "A client that stops within a request gets 408 after the timeout",
        arguments: ["POST /pre", head("Content-Length: 9") + "{"])
    func timeout(start: String) throws {
        var configuration = SampleConfiguration()
        configuration.timeouts = "{header: 50ms, body: 50ms}"
        let service = try TestService(configuration.yaml)
        let client = service.connect()
        client.send(start)
        service.advance(by: .milliseconds(50))
        let response = try #require(try client.response())
        #expect(response.status == 408 && response["connection"] == "close")
        #expect(try response.problem().code == "timeout")
        #expect(service.logLines().count == 1)
    }

    @Test("100 Continue is sent before an awaited body, and not before a rejection")
    func expectations() throws {
        let service = try TestService()
        let client = service.connect()
        let request = presignRequest(Self.body, ["Expect: 100-continue"])
        client.send(String(request.dropLast(Self.body.count)))
        #expect(try client.response()?.status == 100)
        client.send(Self.body)
        try verified(try #require(try client.response()))
        let large = String(repeating: " ", count: 20_000)
        client.send(String(presignRequest(large, ["Expect: 100-continue"]).dropLast(large.count)))
        #expect(try client.response()?.status == 413)
    }

    @Test(
        "A response that depends only on the head does not wait for the body",
        arguments: [
            ("POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n", 404),
            ("PUT /presign HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n", 405),
            ("POST /presign HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n", 401),
            (
                "POST /presign HTTP/1.1\r\nHost: a\r\nX-API-Key: \(SampleConfiguration.Key.web)\r\n"
                    + "Content-Type: text/html\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n", 415
            ),
        ])
    func earlyRefusals(head: String, status: Int) throws {
        let service = try TestService()
        let client = service.connect()
        client.send(head)
        #expect(try client.response()?.status == status)
    }

    @Test(
        "A response to HEAD never has a body, even if the request is malformed",
        arguments: [
            "HEAD / HTTP/1.1\r\nHost: a\r\nA : b\r\n\r\n", "HEAD / HTTP/2.0\r\n\r\n",
            "HEAD /\"\" HTTP/1.1\r\nHost: a\r\n\r\n",
        ])
    func headFailures(request: String) throws {
        let service = try TestService()
        let client = service.connect()
        client.send(request)
        let response = try #require(try client.response(omitsBody: true))
        #expect([400, 505].contains(response.status))
        #expect(try client.isClosedByServer())
    }

    @Test("Requests split at every byte, or several in one piece, are served the same")
    func framing() throws {
        let service = try TestService()
        let request = presignRequest(Self.body)
        let client = service.connect()
        for cut in stride(from: 1, to: request.count, by: 7) {
            client.send(String(request.prefix(cut)))
            client.send(String(request.dropFirst(cut)))
            #expect(try client.response()?.status == 200)
        }
        client.send(String(repeating: request, count: 50))
        for _ in 0..<50 { #expect(try client.response()?.status == 200) }
    }

    @Test("A stopping service is not ready, and still serves requests")
    func unready() throws {
        let service = try TestService()
        service.service.beginShutdown()
        #expect(try service.exchange(Self.get("/readyz")).status == 503)
        try verified(try service.exchange(presignRequest(Self.body)))
    }
}
