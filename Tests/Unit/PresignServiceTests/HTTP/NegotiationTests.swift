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

    @Test(
        "A client that prefers text gets an error as one line, which cannot control its terminal",
        arguments: [
            (
                presignRequest(#"{"path":"elsewhere/a"}"#, prefersText), 403,
                "error 403 forbidden: The access rules do not allow you this operation on this path. Ask the operator "
                    + "for access; the log has the reason under this requestId. (requestId test-id)\n"
            ),
            (
                presignRequest(#"{"path":"public/a","x\u001b[2J\ny":1}"#, prefersText), 400,
                "error 400 validation: x%1b[2J%0ay: unknown field; GET /openapi.yaml lists the fields "
                    + "(requestId test-id)\n"
            ),
            (
                batchRequest(body: "{}", prefersText), 400,
                #"error 400 validation: requests: is missing; send an array of requests. Send {"requests":[...]} with 1 "#
                    + "to 1000 bodies of POST /presign. (requestId test-id)\n"
            ),
            (
                presignRequest(String(repeating: "x", count: 9000), prefersText), 413,
                "error 413 body-too-large: The body is larger than this resource accepts. Send at most 4096 bytes of "
                    + "fields to this route, and send a file to the signed URL. (requestId test-id)\n"
            ),
        ])
    func textProblems(request: String, status: Int, line: String) throws {
        let response = try TestService().exchange(request)
        #expect(response.status == status)
        #expect(response["content-type"] == "text/plain; charset=utf-8")
        #expect(response.text == line)
    }

    private static let prefersText = ["Accept: text/plain", "X-Request-Id: test-id"]

    @Test("Other clients get errors as problem documents", arguments: ["*/*", "application/json", "text/html"])
    func problems(accept: String) throws {
        let response = try TestService().exchange(presignRequest("{}", ["Accept: " + accept]))
        #expect(response["content-type"] == "application/problem+json")
    }

    @Test("Text is refused where the client must send headers with the URL, and nothing is issued")
    func headersInText() throws {
        let service = try TestService(SampleConfiguration().yaml + "\naudit: {to: stdout}\n")
        let upload = #"{"path":"public/a","method":"PUT","contentType":"image/png","contentLength":5}"#
        let refused = try service.post("/presign", upload, ["Accept: text/plain"])
        #expect(refused.status == 406)
        #expect(
            refused.response.text.hasPrefix(
                "error 406 not-acceptable: Requests to this URL need headers, which a text response cannot contain: "
                    + "content-type. Send Accept: application/json, and send the `headers` of the response with the "
                    + "request to `url`. (requestId "))
        #expect(refused.log?.reason == "not-acceptable")
        #expect(refused.audit.map(\.status) == [406])
        #expect(try service.post("/presign", upload).status == 200)
        // HTTP clients send the length themselves.
        let length = #"{"path":"public/a","method":"PUT","contentLength":5}"#
        #expect(try service.post("/presign", length, ["Accept: text/plain"]).status == 200)
        let set = try service.post("/presign", #"{"path":"once/a","method":"PUT"}"#, ["Accept: text/plain"])
        #expect(set.response.text.contains("cannot contain: if-none-match. "))
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
