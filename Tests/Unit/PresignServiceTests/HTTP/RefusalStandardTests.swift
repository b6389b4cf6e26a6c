import SocketTestSupport
import Testing

@testable import PresignService
@testable import PresignServiceTestSupport

/// Checks every kind of rejection against RFC 9110, RFC 6750 section 3 and RFC 9457.
@Suite("Rejections and the standards")
struct RefusalStandardTests {
    private typealias Key = SampleConfiguration.Key

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let request: String
        let status: Int
        /// The `error` of the challenge; empty: a challenge without one; nil: no challenge.
        var challenge: String?
        var retryAfter = false
        var allow = false
    }

    private static let path = #"{"path":"public/a"}"#

    private static func post(_ headers: [String], _ body: String = path, key: String? = nil) -> String {
        presignRequest(body, key: key, headers)
    }

    private static func get(_ target: String, _ method: String = "GET", _ headers: [String] = []) -> String {
        (["\(method) \(target) HTTP/1.1", "Host: a"] + headers).joined(separator: "\r\n") + "\r\n\r\n"
    }

    static let callers = [
        Case(testDescription: "no credentials", request: post([]), status: 401, challenge: ""),
        Case(testDescription: "no credentials at a link", request: get("/o/public/a"), status: 401, challenge: ""),
        Case(
            testDescription: "an invalid key", request: post([], key: Key.off), status: 401, challenge: "invalid_token"),
        Case(
            testDescription: "an invalid key at a link", request: get("/o/public/a", "GET", ["X-API-Key: x"]),
            status: 401,
            challenge: "invalid_token"),
        Case(
            testDescription: "an invalid key before the body is sent",
            request: get(
                "/presign", "POST", ["X-API-Key: x", "Content-Length: 5", "Expect: 100-continue"]), status: 401,
            challenge: "invalid_token"),
        Case(
            testDescription: "a malformed token", request: post(["Authorization: Bearer a.b.c"]), status: 401,
            challenge: "invalid_token"),
        Case(
            testDescription: "two methods", request: post(["Authorization: Bearer x"], key: Key.web), status: 400,
            challenge: "invalid_request"),
        Case(
            testDescription: "duplicate credentials", request: post(["X-API-Key: x"], key: Key.web), status: 400,
            challenge: "invalid_request"),
        Case(testDescription: "a proxy's header", request: post(["X-Auth-User: a"], key: Key.web), status: 400),
        Case(
            testDescription: "not allowed", request: post([], #"{"path":"nobodys/a"}"#, key: Key.web), status: 403,
            challenge: "insufficient_scope"),
        Case(
            testDescription: "not allowed at a link", request: get("/o/nobodys/a", "GET", ["X-API-Key: \(Key.web)"]),
            status: 403, challenge: "insufficient_scope"),
        Case(
            testDescription: "a form from a foreign origin",
            request: presignRequest(
                "path=public/a", type: "application/x-www-form-urlencoded", ["Origin: https://evil.example"]),
            status: 403),
    ]

    static let requests = [
        Case(testDescription: "malformed body", request: post([], "{", key: Key.web), status: 400),
        Case(testDescription: "malformed request", request: "GET /healthz HTTP/1.1\r\n\r\n", status: 400),
        Case(testDescription: "no such route", request: get("/nowhere"), status: 404),
        Case(testDescription: "another method", request: get("/presign"), status: 405, allow: true),
        Case(testDescription: "another method of a link", request: get("/o/a", "DELETE"), status: 405, allow: true),
        Case(testDescription: "an unknown method", request: get("/presign", "BREW"), status: 501),
        Case(
            testDescription: "a large body", request: post([], path + String(repeating: " ", count: 5000)), status: 413),
        Case(testDescription: "a long target", request: get("/" + String(repeating: "a", count: 600)), status: 414),
        Case(
            testDescription: "another type", request: presignRequest(path, type: "text/plain"), status: 415),
        Case(testDescription: "an expectation", request: get("/healthz", "GET", ["Expect: x"]), status: 417),
        Case(
            testDescription: "a limit of the service",
            request: post([], #"{"path":"public/a","expiresIn":604800}"#, key: Key.web),
            status: 422),
        Case(
            testDescription: "large headers", request: get("/", "GET", ["X: " + String(repeating: "a", count: 3000)]),
            status: 431),
        Case(testDescription: "another version", request: "GET / HTTP/2.0\r\nHost: a\r\n\r\n", status: 505),
    ]

    private static func service(_ quotas: String = "{}") throws -> TestService {
        var configuration = SampleConfiguration()
        configuration.links = true
        configuration.quotas = quotas
        configuration.proxy = "proxy: {from: [unix], secretHeader: X-S, secretFile: s, identity: X-Auth-User}"
        return try TestService(configuration.yaml, files: ["s": "0123456789abcdef"])
    }

    @Test(
        "Every rejection has the status, code and challenge that the standards require", arguments: callers + requests)
    func refusal(_ refused: Case) throws {
        try check(try Self.service().exchange(refused.request), refused)
    }

    @Test("503 without credentials and 429 have Retry-After")
    func temporary() throws {
        let stopping = try Self.service()
        stopping.service.beginShutdown()
        try check(
            try stopping.exchange(Self.get("/readyz")),
            Case(testDescription: "stopping", request: "", status: 503, retryAfter: true))
        let limited = try Self.service("{perCaller: 1/h, failedAuthentications: 1/h}")
        for request in [Self.post([], key: Key.web), Self.post([], key: Key.off)] { _ = try limited.exchange(request) }
        for key in [Key.web, Key.off] {
            try check(
                try limited.exchange(Self.post([], key: key)),
                Case(testDescription: "limited", request: "", status: 429, retryAfter: true))
        }
    }

    private func check(_ response: RawResponse, _ refused: Case) throws {
        #expect(response.status == refused.status)
        let challenge = refused.challenge.map { #"Bearer realm="presign""# + ($0.isEmpty ? "" : #", error="\#($0)""#) }
        #expect(response["www-authenticate"] == challenge)
        #expect((response.status == 401) == (challenge != nil && ![400, 403].contains(response.status)))
        #expect((response["allow"] != nil) == refused.allow)
        #expect((response["retry-after"].flatMap { Int($0) }.map { $0 > 0 } == true) == refused.retryAfter)
        #expect(response["cache-control"] == "no-store" && response["content-type"] == "application/problem+json")
        let problem = try response.problem()
        #expect(problem.status == response.status && problem.type == "urn:presign:problem:" + problem.code)
        #expect(!problem.title.isEmpty && !problem.detail.isEmpty && problem.requestId == response["x-request-id"])
    }
}
