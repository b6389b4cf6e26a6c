import HTTPServerTestSupport
import Presigning
import PresigningTestSupport
import SocketTestSupport
import Testing

@testable import PresignServiceTestSupport

@Suite("Accept and X-Request-Id")
struct NegotiationTests {
    private static let body = #"{"path":"public/a"}"#

    @Test(
        "Accept selects text or JSON",
        arguments: [
            ([], false), (["*/*"], false), (["application/json"], false), (["text/plain"], true),
            (["TEXT/PLAIN; charset=utf-8"], true), (["text/plain, application/json"], false),
            (["application/json;q=0.5, text/plain"], true), (["application/json, text/plain;q=0.9"], false),
            (["application/json, text/plain, */*"], false), (["text/plain;q=0.5, */*"], false),
            (["text/plain, */*;q=0.01"], true), (["text/plain, */*"], false), (["text/*"], true),
            (["text/plain;q=0"], false), (["text/plain;q=0, */*"], false), (["text/plain;q=0.001"], true),
            (["application/*, text/plain"], false), (["application/json;q=0, */*"], true),
            (["text/html, */*;q=0.8"], false), (["text/plain;q=x"], false),
            (["text/plain", "application/json"], false),
            ([""], false), (["image/png"], false),
        ] as [([String], Bool)])
    func accept(values: [String], isText: Bool) throws {
        let response = try TestService().exchange(presignRequest(Self.body, values.map { "Accept: " + $0 }))
        guard isText else {
            try verified(response)
            return
        }
        #expect(response["content-type"] == "text/plain; charset=utf-8")
        #expect(response.body.last == 0x0A)
        let url = String(response.text.dropLast())
        #expect(try verification(of: url, method: "GET", at: TestClock.startTime) == .valid)
    }

    @Test("Errors are problem documents, whatever Accept says")
    func problems() throws {
        let response = try TestService().exchange(presignRequest("{}", ["Accept: text/plain"]))
        #expect(response["content-type"] == "application/problem+json")
    }

    @Test(
        "A well-formed request id is used in response, problem and log",
        arguments: ["a", "3f2a-_.:/+=@~Z9", String(repeating: "x", count: 128)])
    func taken(id: String) throws {
        let service = try TestService()
        let response = try service.exchange(presignRequest("{}", ["X-Request-Id: " + id]))
        #expect(response["x-request-id"] == id)
        #expect(try response.problem().requestId == id)
        #expect(try LogLine.all(of: service).map(\.requestId) == [id])
    }

    @Test(
        "Any other request id is replaced",
        arguments: [
            "", "a b", "a\"b", "a,b", "a{b}", "a\tb", "é", "a\\n", "<script>", String(repeating: "x", count: 129),
        ])
    func replaced(id: String) throws {
        let service = try TestService()
        let response = try service.exchange(presignRequest("{}", ["X-Request-Id: " + id]))
        let generated = try #require(response["x-request-id"])
        #expect(generated.hasPrefix("test0-") && generated != id)
        #expect(try response.problem().requestId == generated)
        #expect(try LogLine.all(of: service).map(\.requestId) == [generated])
    }

    @Test("Generated ids differ")
    func distinct() throws {
        let service = try TestService()
        let ids = try (0..<40).map { _ in try service.exchange(presignRequest(Self.body))["x-request-id"] }
        #expect(Set(ids).count == 40)
    }
}
