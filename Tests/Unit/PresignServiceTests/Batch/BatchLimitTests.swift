import Dispatch
import HTTPServerTestSupport
import Requests
import SocketTestSupport
import Testing

@testable import PresignService
@testable import PresignServiceTestSupport
@testable import Telemetry

@Suite("Batch limits")
struct BatchLimitTests {
    private static let limits = "{requestLine: 512, headers: 2k, headerCount: 20, body: 4k, batchBody: 64k}"

    private func service(loops: Int = 1, _ limits: String = limits) throws -> TestService {
        var configuration = SampleConfiguration()
        configuration.limits = limits
        configuration.loops = loops
        return try TestService(configuration.yaml)
    }

    private func item(_ bytes: Int) -> String {
        let empty = #"{"path":"public/a","contentType":""}"#
        return empty.replacing(#":""}"#, with: #":"\#(String(repeating: "a", count: bytes - empty.utf8.count))"}"#)
    }

    @Test("Each item has the size limit of a single request")
    func item() throws {
        let items = [item(4096), item(4097), #"{"path":"public/a"}"#]
        let batch = try service().exchange(batchRequest(items)).batch()
        #expect(batch.statuses == [200, 413, 200])
        #expect(batch.problems.first?.code == "body-too-large")
        #expect(batch.problems.first?.detail.contains("4096 bytes") == true)
    }

    @Test("A batch has its own size limit, which does not apply to single requests")
    func whole() throws {
        let service = try service()
        let large = Array(repeating: #"{"path":"public/a"}"#, count: 900)
        #expect(try service.exchange(batchRequest(large)).batch().statuses == Array(repeating: 200, count: 900))
        let request = batchRequest(Array(repeating: item(1000), count: 70))
        let response = try service.exchange(request)
        #expect(try response.status == 413 && response.problem().code == "body-too-large")
        #expect(try service.exchange(presignRequest(item(4097))).status == 413)
    }

    @Test("Each item counts against the caller's rate, and so does an invalid body")
    func rate() throws {
        var configuration = SampleConfiguration()
        configuration.quotas = "{perCaller: {rate: 1/h, burst: 3}}"
        let service = try TestService(configuration.yaml)
        #expect(try service.exchange(batchRequest(body: "{")).status == 400)
        let batch = try service.exchange(
            batchRequest([#"{"path":"elsewhere"}"#, #"{"path":"public/a"}"#, #"{"path":"public/b"}"#, "{}"])
        ).batch()
        #expect(batch.statuses == [403, 200, 429, 429])
        guard case .error(let problem, retryAfter: let seconds?) = batch.results[3] else {
            Issue.record("no retryAfter")
            return
        }
        #expect(problem.code == "rate-limited" && 3500...3600 ~= seconds)
        #expect(try service.exchange(batchRequest(body: "{")).status == 429)
        #expect(try service.exchange(presignRequest(#"{"path":"public/a"}"#)).status == 429)
    }

    @Test("An item's record keeps its rate limit: metrics count each refused item, and the headers show the last state")
    func recordedRate() throws {
        var configuration = SampleConfiguration()
        configuration.quotas = "{perCaller: {rate: 1/h, burst: 2}, headers: true}"
        let service = try TestService(configuration.yaml)
        let response = try service.exchange(batchRequest(Array(repeating: #"{"path":"public/a"}"#, count: 4)))
        #expect(try response.batch().statuses == [200, 200, 429, 429])
        #expect(response["ratelimit"]?.hasPrefix(#""caller";r=0;t="#) == true)
        let counts = service.service.metrics.counts
        #expect(counts.limitsHit[.caller] == 2 && counts.refusals[.rateLimited] == 2)
        let allowed = try TestService(configuration.yaml)
        let left = try allowed.exchange(batchRequest([#"{"path":"public/a"}"#]))
        #expect(left["ratelimit"]?.hasPrefix(#""caller";r=1;t="#) == true)
    }

    @Test(
        "Bodies rejected for their type or length count too",
        arguments: [
            (batchRequest(body: "x", type: "text/plain"), 415),
            (batchRequest(body: String(repeating: " ", count: 70_000)), 413),
            (presignRequest(String(repeating: " ", count: 5_000)), 413),
        ])
    func refusals(request: String, status: Int) throws {
        var configuration = SampleConfiguration()
        configuration.limits = Self.limits
        configuration.quotas = "{perCaller: 1/h}"
        let service = try TestService(configuration.yaml)
        #expect(try service.exchange(request).status == status)
        #expect(try service.exchange(presignRequest(#"{"path":"public/a"}"#)).status == 429)
    }

    @Test("While a batch is decided, its event loop serves other requests")
    func beside() throws {
        let service = try service()
        let client = service.connect()
        service.holdBatches()
        client.send(batchRequest([#"{"path":"public/a"}"#]))
        #expect(try service.exchange(presignRequest(#"{"path":"public/a"}"#)).status == 200)
        service.releaseBatches()
        #expect(try client.response()?.batch().statuses == [200])
    }

    @Test("The body of a batch is not awaited without valid credentials", arguments: [true, false])
    func withoutCredentials(isChunked: Bool) throws {
        let service = try service()
        let client = service.connect()
        let framing = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: 60000"
        let head = "POST /presign/batch HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n\(framing)\r\n"
        // No body is sent, and the response does not wait for it.
        client.send(head + "\r\n")
        let response = try #require(try client.response())
        #expect(try response.status == 401 && response.problem().code == "credentials-missing")
        #expect(service.logLines().count == 1)
    }

    @Test("A client with Expect: 100-continue gets 100 if it may send, otherwise the error", arguments: [true, false])
    func expectation(mayCall: Bool) throws {
        let service = try service()
        let client = service.connect()
        let body = batchBody(count: 2)
        let key = mayCall ? SampleConfiguration.Key.web : SampleConfiguration.Key.off
        let request = batchRequest(body: body, key: key, ["Expect: 100-continue"])
        client.send(String(request.dropLast(body.count)))
        #expect(try client.response()?.status == (mayCall ? 100 : 401))
        guard mayCall else {
            #expect(service.logLines().count == 1)
            return
        }
        client.send(body)
        #expect(try client.response()?.batch().statuses == [200, 200])
        #expect(service.logLines().count == 1)
    }

    @Test("A thousand items work in small chunks and pipelined")
    func chunks() throws {
        let service = try service(Self.limits.replacing("64k", with: "1m"))
        let body = Array(batchBody(count: 1000).utf8)
        let chunks = stride(from: 0, to: body.count, by: 61).map { start in
            let piece = body[start..<min(start + 61, body.count)]
            return String(piece.count, radix: 16) + "\r\n" + String(decoding: piece, as: UTF8.self) + "\r\n"
        }
        let head = """
            POST /presign/batch HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r
            X-API-Key: \(SampleConfiguration.Key.web)\r\nTransfer-Encoding: chunked\r\n\r\n
            """
        let request = head + chunks.joined() + "0\r\n\r\n"
        let client = service.connect()
        client.send(request + request + presignRequest(#"{"path":"public/last"}"#))
        for _ in 0..<2 {
            let batch = try #require(try client.response()).batch()
            #expect(batch.responses.count == 1000 && batch.responses.last?.key == "public/999")
        }
        #expect(try #require(try client.response()).presigned().key == "public/last")
    }

    private func batchBody(count: Int) -> String {
        #"{"requests":[\#((0..<count).map { #"{"path":"public/\#($0)"}"# }.joined(separator: ","))]}"#
    }
}
