import SocketTestSupport
import TestSupport
import Testing

@testable import PresignServiceTestSupport

@Suite("The service under overload", .serialized)
struct OverloadTests {
    private static let origin = "https://app.example.com"
    private static let plain = presignRequest(#"{"path":"public/a"}"#)
    private static let checked = presignRequest(#"{"path":"public/a","validateObjectExistence":true}"#)
    private static let healthz = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let preflight =
        "OPTIONS /presign HTTP/1.1\r\nHost: a\r\nOrigin: \(origin)\r\nAccess-Control-Request-Method: POST\r\n\r\n"

    private static func named(_ id: String) -> String {
        presignRequest(#"{"path":"public/a"}"#, ["Origin: \(origin)", "X-Request-Id: \(id)"])
    }

    private func service(holdsHeads: Bool = false, queueDelay: Duration = .seconds(60)) throws -> LiveService {
        var configuration = SampleConfiguration()
        configuration.limits = "{inFlight: 1}"
        return try LiveService(configuration.yaml, holdsHeads: holdsHeads, queueDelay: queueDelay)
    }

    /// Expects the responses that overload does not affect.
    private func expectAnswered(_ health: RawResponse?, _ preflight: RawResponse?) {
        #expect(health?.status == 200 && health?.text == "ok\n")
        #expect(preflight?.status == 204 && preflight?["access-control-allow-origin"] == Self.origin)
        #expect(preflight?["access-control-allow-methods"] != nil)
    }

    /// Expects a response with the request's own CORS header and id, also if it is a 503.
    private func expectOwn(_ response: RawResponse?, _ id: String) {
        #expect(response?["x-request-id"] == id && response?["access-control-allow-origin"] == Self.origin)
        if response?.status != 200 { expectRefused(response) }
    }

    private func expectRefused(_ response: RawResponse?) {
        #expect(response?.status == 503 && response?["retry-after"] == "1" && response?["connection"] == nil)
        #expect(response?["content-type"] == "application/problem+json")
    }

    @Test("At the limit of waiting requests others get 503, except health checks and preflights")
    func waiting() throws {
        let service = try service(holdsHeads: true)
        let first = try service.connect()
        first.send(Self.checked)
        service.storage.awaitRequest()
        let clients = try (0..<4).map { _ in try service.connect() }
        for round in 0..<3 {
            for (index, client) in clients.enumerated() {
                client.send(Self.plain + Self.healthz + Self.preflight + Self.named("\(round)-\(index)") + Self.checked)
            }
            for (index, client) in clients.enumerated() {
                let shared = try client.response()
                expectRefused(shared)
                #expect(shared?["access-control-allow-origin"] == nil)
                expectAnswered(try client.response(), try client.response())
                let own = try client.response()
                expectOwn(own, "\(round)-\(index)")
                #expect(own?.status == 503)
                expectRefused(try client.response())
            }
        }
        service.storage.release()
        #expect(try first.response()?.status == 200)
        #expect(try service.exchange(Self.plain).status == 200)
        for client in clients {
            client.send(Self.plain)
            #expect(try client.response()?.status == 200)
        }
    }

    @Test(
        "What is decided at the head is shed too: uploads through links, and bodies whose clients wait or that are large"
    )
    func heads() throws {
        var configuration = SampleConfiguration()
        configuration.limits = "{inFlight: 1}"
        let yaml = configuration.yaml.replacing(
            "  - path: public/**\n", with: "  - path: public/**\n    share: {get: 1d, write: 1d}\n")
        let service = try LiveService(
            yaml + "\nshares: {keys: [{id: k1, file: k1}]}\n", holdsHeads: true,
            files: ["k1": "pshk_" + String(repeating: "A", count: 42) + "Q"])
        let share = { (fields: String) throws -> String in
            let request = presignRequest("{\"path\":\"public/a\",\"share\":true\(fields)}", ["Accept: text/plain"])
            return String(try service.exchange(request).text.dropLast().trimmingPrefix("http://presign.test"))
        }
        let put = "PUT \(try share(#","method":"PUT""#)) HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n"
        let batch = batchRequest(Array(repeating: #"{"path":"public/a"}"#, count: 5000))
        let head = batch[..<(try #require(batch.firstRange(of: "\r\n\r\n")).upperBound)]
        let requests = [
            "GET \(try share("")) HTTP/1.1\r\nHost: a\r\n\r\n", put + "\r\nx", put + "Expect: 100-continue\r\n\r\n",
            put + "Origin: \(Self.origin)\r\n\r\nx", String(head),
            presignRequest("{", ["Expect: 100-continue"]).replacing("\r\n\r\n{", with: "\r\n\r\n"),
        ]
        let first = try service.connect()
        first.send(Self.checked)
        service.storage.awaitRequest()
        for request in requests {
            let response = try service.exchange(request)
            #expect(
                response.status == 503 && response["retry-after"] == "1" && response["location"] == nil, "\(request)")
        }
        service.storage.release()
        #expect(try first.response()?.status == 200)
        #expect(try Self.metric("presign_http_shed_total", of: service) == "\(requests.count)")
        #expect(try service.exchange(put + "Expect: 100-continue\r\n\r\n").status == 307)
    }

    @Test(
        "The body of a redirected upload is counted, within the limit of bodies and above it",
        arguments: [1000, 100_000])
    func discarded(count: Int) throws {
        var configuration = SampleConfiguration()
        (configuration.links, configuration.timeouts) = (true, "{linger: 60s}")
        let service = try LiveService(configuration.yaml)
        let client = try service.connect()
        client.send(
            "PUT /o/public/a HTTP/1.1\r\nHost: a\r\nX-API-Key: \(SampleConfiguration.Key.web)\r\n"
                + "Content-Length: \(count)\r\n\r\n" + String(repeating: "x", count: count))
        #expect(try client.response()?.status == 307)
        let isCounted = try becomesTrue {
            try Self.metric("presign_http_discarded_bytes_total", of: service) == "\(count)"
        }
        #expect(isCounted)
    }

    @Test("Under pipelined load some requests are shed, health checks are served, and shedding ends with the load")
    func pipelined() throws {
        let service = try service(queueDelay: .milliseconds(10))
        let clients = try (0..<8).map { _ in try service.connect() }
        let end = ContinuousClock.now + .seconds(20)
        var (refused, rounds) = (0, 0)
        // The loop sheds load when an iteration takes longer than 10 ms. A few more rounds observe what is shed then.
        while rounds < 4 || refused == 0, ContinuousClock.now < end {
            for (index, client) in clients.enumerated() {
                let some = String(repeating: Self.plain, count: 30)
                client.send(some + Self.healthz + Self.named("\(rounds)-\(index)") + some + Self.preflight)
            }
            for (index, client) in clients.enumerated() {
                refused += try refusals(client, 30)
                let health = try client.response()
                expectOwn(try client.response(), "\(rounds)-\(index)")
                refused += try refusals(client, 30)
                expectAnswered(health, try client.response())
            }
            rounds += 1
        }
        #expect(refused > 0)
        #expect(try service.exchange(Self.plain).status == 200)
        for client in clients {
            client.send(Self.plain)
            #expect(try client.response()?.status == 200)
        }
    }

    /// The number of rejections among this many responses; the others are URLs.
    private func refusals(_ client: RawClient, _ count: Int) throws -> Int {
        let responses = try (0..<count).map { _ in try client.response() }
        let refused = responses.filter { $0?.status != 200 }
        for response in refused { expectRefused(response) }
        return refused.count
    }

    @Test("Connections above the limit get 503 with Retry-After")
    func connections() throws {
        var configuration = SampleConfiguration()
        configuration.limits = "{connections: 1}"
        let service = try LiveService(configuration.yaml)
        let first = try service.connect()
        first.send(Self.healthz)
        #expect(try first.response()?.status == 200)
        let response = try service.exchange(Self.healthz)
        #expect(response.status == 503 && response["retry-after"] == "1")
        #expect(try response.problem().code == "overloaded")
    }

    @Test("Shed requests are logged in one line per second without details, even with their own responses")
    func shared() throws {
        let service = try service(holdsHeads: true)
        let waiting = try service.connect()
        waiting.send(Self.checked)
        service.storage.awaitRequest()
        let start = ContinuousClock.now
        let client = try service.connect()
        let ids = (0..<100).map { "own-\($0)" }
        for id in ids { client.send(Self.plain + Self.named(id)) }
        for id in ids {
            #expect(try client.response()?.status == 503)
            let own = try client.response()
            #expect(own?.status == 503 && own?["x-request-id"] == id)
            #expect(own?["access-control-allow-origin"] == Self.origin)
        }
        let lines = try LogLine.all(of: service)
        #expect(1...Int((ContinuousClock.now - start) / .seconds(1)) + 1 ~= lines.count)
        #expect(lines.allSatisfy { $0.status == 503 && $0.method == nil && $0.path == nil && $0.peer == nil })
        service.storage.release()
        #expect(try waiting.response()?.status == 200)
        #expect(try Self.metric("presign_http_shed_total", of: service) == "200")
    }

    @Test("A body above the memory budget is rejected at its head and counted as shed; small requests are served")
    func memory() throws {
        var configuration = SampleConfiguration()
        configuration.limits = "{bufferedBytes: 64k}"
        let service = try LiveService(configuration.yaml)
        let client = try service.connect()
        // A new connection can be read in the same turn of the loop as those after it; refusals count at its end.
        client.send(Self.plain)
        #expect(try client.response()?.status == 200)
        let request = batchRequest(Array(repeating: #"{"path":"public/a"}"#, count: 3000))
        let end = try #require(request.firstRange(of: "\r\n\r\n")).upperBound
        client.send(String(request[..<end]))
        let response = try #require(try client.response())
        #expect(response.status == 503 && response["retry-after"] == "1")
        let problem = try response.problem()
        #expect(problem.code == "overloaded" && problem.detail.contains("memory"), "\(problem)")
        #expect(try service.exchange(Self.plain).status == 200)
        #expect(try Self.metric("presign_http_shed_total", of: service) == "1")
        #expect(try Self.metric("presign_http_buffered_bytes", of: service) == "0")
    }

    @Test("Accepted connections are counted, and without overload nothing is shed")
    func accepted() throws {
        let service = try LiveService()
        for _ in 0..<3 { #expect(try service.exchange(Self.plain).status == 200) }
        #expect(try Self.metric("presign_http_connections_accepted_total", of: service) == "4")
        #expect(try Self.metric("presign_http_shed_total", of: service) == "0")
    }

    /// The value of a metric without labels.
    private static func metric(_ name: String, of service: LiveService) throws -> String? {
        let text = try service.exchange("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n").text
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
        return line.map { String($0.dropFirst(name.count + 1)) }
    }
}
