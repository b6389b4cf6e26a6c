import HTTPServerTestSupport
import ObjectExistence
import PresigningTestSupport
import Requests
import SocketTestSupport
import Testing

@testable import PresignService
@testable import PresignServiceTestSupport
@testable import Presigning

@Suite("Existence checks of requests")
struct ExistenceTests {
    private static let asked = #"{"path":"public/a b","validateObjectExistence":true}"#

    @Test(
        "The storage's status decides the response",
        arguments: [
            (.status(404), 404, "key-not-found", nil), (.status(403), 502, "storage-denied", nil),
            (.status(500), 502, "storage-error", nil), (.status(301), 502, "storage-error", nil),
            (.failed("refused"), 502, "storage-unreachable", nil), (.timedOut, 504, "storage-timeout", nil),
            (.overloaded, 503, "overloaded", "1"),
        ] as [(ExistenceOutcome, Int, String, String?)])
    func outcomes(outcome: ExistenceOutcome, status: Int, code: String, retryAfter: String?) throws {
        let service = try TestService(storage: [outcome, .status(204)])
        let response = try service.exchange(presignRequest(Self.asked, ["Origin: https://app.example.com"]))
        #expect(response.status == status && response["retry-after"] == retryAfter)
        #expect(response["access-control-allow-origin"] == "https://app.example.com")
        let problem = try response.problem()
        #expect(problem.code == code && problem.requestId == response["x-request-id"])
        try verified(try service.exchange(presignRequest(Self.asked)))
    }

    @Test("The HEAD is signed for the same object with a short lifetime")
    func head() throws {
        let service = try TestService()
        let presigned = try verified(try service.exchange(presignRequest(Self.asked)))
        let head = try #require(service.storage.urls.first)
        #expect(service.storage.urls.count == 1)
        #expect(try verification(of: head, method: "HEAD", at: TestClock.startTime) == .valid)
        #expect(head.prefix { $0 != "?" } == presigned.url.prefix { $0 != "?" })
        #expect(try #require(Int(queryItems(of: head)["X-Amz-Expires"] ?? "")) <= 300)
    }

    @Test("The HEAD uses the internal endpoint, the URL the public one")
    func endpoints() throws {
        let service = try TestService()
        let body = #"{"path":"public/a","store":"inside","validateObjectExistence":true}"#
        let presigned = try verified(try service.exchange(presignRequest(body)))
        #expect(presigned.url.hasPrefix("https://files.example.com/acme-inside/public/a?"))
        let head = try #require(service.storage.urls.first)
        #expect(head.hasPrefix("http://10.0.0.7:9000/acme-inside/public/a?"))
        #expect(try verification(of: head, method: "HEAD", at: TestClock.startTime) == .valid)
    }

    @Test(
        "Only downloads are checked",
        arguments: [
            #""method":"PUT""#, #""method":"DELETE""#, #""method":"POST""#, #""uploadId":"u""#,
            #""method":"PUT","uploadId":"u","partNumber":1"#,
        ])
    func otherOperations(members: String) throws {
        let service = try TestService(storage: [.status(404)])
        let body = #"{"path":"public/a","validateObjectExistence":true,\#(members)}"#
        try verified(try service.exchange(presignRequest(body)))
        #expect(service.storage.urls.isEmpty)
    }

    @Test("A caller without permission does not learn whether the object exists")
    func refusedFirst() throws {
        let service = try TestService(storage: [.status(404)])
        let body = #"{"path":"elsewhere/a","validateObjectExistence":true}"#
        #expect(try service.exchange(presignRequest(body)).status == 403)
        #expect(service.storage.urls.isEmpty)
    }

    @Test("The store's default applies unless the request overrides it")
    func storeDefault() throws {
        let yaml = SampleConfiguration().yaml.replacing(
            "default: true, links: false}", with: "default: true, validateObjectExistence: true, links: false}")
        let service = try TestService(yaml, storage: [.status(404)])
        #expect(try service.exchange(presignRequest(#"{"path":"public/a"}"#)).status == 404)
        let unchecked = #"{"path":"public/a","validateObjectExistence":false}"#
        try verified(try service.exchange(presignRequest(unchecked)))
        #expect(service.storage.urls.count == 1)
    }

    @Test("Responses to pipelined requests keep their order, whichever has to wait")
    func order() throws {
        let service = try TestService(storage: [.status(404)])
        let client = service.connect()
        client.send(
            presignRequest(Self.asked, ["X-Request-Id: one"]) + presignRequest(Self.asked, ["X-Request-Id: two"])
                + presignRequest("{", ["X-Request-Id: three"]))
        let received = try (0..<3).map { _ in try #require(try client.response()) }
        #expect(received.map(\.status) == [404, 200, 400])
        #expect(received.map { $0["x-request-id"] } == ["one", "two", "three"])
    }
}
