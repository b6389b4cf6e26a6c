import HTTPServerTestSupport
import Presigning
import PresigningTestSupport
import Requests
import SocketTestSupport
import Testing

@testable import PresignServiceTestSupport

@Suite("POST /presign/batch")
struct BatchTests {
    private typealias Key = SampleConfiguration.Key

    @Test("Each item is decided on its own, and the results keep the order")
    func order() throws {
        let items = [
            #"{"path":"public/a"}"#, #"{"path":"elsewhere/a"}"#, #"{"path":"public/b","method":"PUT"}"#,
            #"{"path":"public/a","expiresin":5}"#, #"{"path":"public/../a"}"#, #"{"path":"public/c","store":"none"}"#,
            #"{"path":"inbox/a","method":"PUT"}"#, #"{"path":"public/a","path":"public/b"}"#, "[]", "null", "7",
            #"{"path":["public/a"]}"#, "{}", #"{"path":"private/alice/x","method":"PUT","contentType":"text/plain"}"#,
            #"{"path":"public/d","store":"archive"}"#,
        ]
        let statuses = [200, 403, 200, 400, 400, 400, 422, 400, 400, 400, 400, 400, 400, 200, 200]
        let response = try TestService().exchange(batchRequest(items))
        #expect(response.status == 200 && response["content-type"] == "application/json")
        #expect(response["cache-control"] == "no-store")
        let batch = try response.batch()
        #expect(batch.statuses == statuses)
        #expect(batch.responses.map(\.key) == ["public/a", "public/b", "private/alice/x", "public/d"])
        for presigned in batch.responses {
            let verdict = try verification(
                of: presigned.url, method: presigned.method, headers: presigned.headers, at: TestClock.startTime)
            #expect(verdict == .valid)
        }
        #expect(batch.problems.allSatisfy { $0.requestId == response["x-request-id"] })
    }

    @Test("An item gets exactly the bytes of a single response", arguments: Self.items)
    func sameAsAlone(item: String) throws {
        let service = try TestService()
        let id = ["X-Request-Id: one"]
        let alone = try service.exchange(presignRequest(item, id)).text.dropLast()
        let together = try service.exchange(batchRequest([item], id)).text
        let expected =
            alone.hasPrefix(#"{"url""#) ? #"{"results":[\#(alone)]}"# : #"{"results":[{"error":\#(alone)}]}"#
        #expect(together == expected + "\n")
    }

    static let items = [
        #"{"path":"public/a"}"#, #"{"path":"inbox/a","method":"PUT"}"#, #"{"path":"elsewhere"}"#,
        #"{"path":"public/a","method":"PUT","contentType":"image/png","contentLength":5,"expiresIn":60}"#,
        #"{"path":"public/a","method":"put","x":1}"#, #"{"path":"public/a","expiresIn":604800}"#,
    ]

    @Test("Credentials are checked before the body is parsed")
    func callers() throws {
        var configuration = SampleConfiguration()
        let service = try TestService(configuration.yaml)
        for (key, code) in [(nil, "credentials-missing"), (Key.wrongSecret, "credentials-invalid")] {
            let response = try service.exchange(batchRequest(body: "{", key: key))
            #expect(try response.status == 401 && response.problem().code == code)
            #expect(response["www-authenticate"] != nil)
        }
        configuration.guest = true
        let batch = try TestService(configuration.yaml).exchange(
            batchRequest([#"{"path":"public/a"}"#, #"{"path":"public/a","method":"PUT"}"#], key: nil)
        ).batch()
        #expect(batch.statuses == [200, 401])
    }

    @Test(
        "An invalid batch is rejected as a whole",
        arguments: [
            (batchRequest(body: "{"), 400), (batchRequest(body: "[{}]"), 400), (batchRequest([]), 400),
            (batchRequest(body: #"{"requests":[{}],"path":"a"}"#), 400),
            (batchRequest(body: "path=public/a", type: "application/x-www-form-urlencoded"), 415),
            (batchRequest(body: "{}", type: "text/plain"), 415), (batchRequest(body: "{}", type: nil), 415),
            (batchRequest(Array(repeating: "{}", count: 1001)), 400),
            ("GET /presign/batch HTTP/1.1\r\nHost: a\r\n\r\n", 405),
            ("POST /presign/batch/ HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", 404),
        ])
    func refused(request: String, status: Int) throws {
        let response = try TestService().exchange(request)
        #expect(response.status == status)
        #expect(try response.problem().status == status)
        #expect(response["allow"] == (status == 405 ? "POST, OPTIONS" : nil))
    }

    @Test("A page of an allowed origin may send a batch")
    func preflight() throws {
        let request = "OPTIONS /presign/batch HTTP/1.1\r\nHost: a\r\nOrigin: https://app.example.com\r\n"
        let response = try TestService().exchange(request + "Access-Control-Request-Method: POST\r\n\r\n")
        #expect(response.status == 204 && response["access-control-allow-methods"] == "POST, OPTIONS")
    }

    @Test("The response is JSON, whatever Accept says")
    func text() throws {
        let response = try TestService().exchange(batchRequest([#"{"path":"public/a"}"#], ["Accept: text/plain"]))
        #expect(response["content-type"] == "application/json")
        #expect(try response.batch().statuses == [200])
    }

    @Test("A batch has one log line, which counts the rejected items")
    func log() throws {
        let service = try TestService()
        _ = try service.exchange(batchRequest([#"{"path":"public/a"}"#, #"{"path":"elsewhere/a"}"#, "{}"]))
        _ = try service.exchange(batchRequest([#"{"path":"public/a"}"#]))
        let lines = try LogLine.all(of: service)
        #expect(lines.map(\.status) == [200, 200])
        #expect(lines.map(\.reason) == ["2 of 3 items refused", nil])
        #expect(lines.allSatisfy { $0.path == "/presign/batch" && $0.caller == "caller:web" && $0.key == nil })
    }
}
