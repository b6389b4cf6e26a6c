import SocketTestSupport
import Testing

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
        var configuration = LiveConfiguration()
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
        let first = try RawClient(port: service.port)
        first.send(Self.checked)
        service.awaitHead()
        let clients = try (0..<4).map { _ in try RawClient(port: service.port) }
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
        service.releaseHeads()
        #expect(try first.response()?.status == 200)
        #expect(try service.exchange(Self.plain).status == 200)
        for client in clients {
            client.send(Self.plain)
            #expect(try client.response()?.status == 200)
        }
    }

    @Test("Under pipelined load some requests are shed, health checks are served, and shedding ends with the load")
    func pipelined() throws {
        let service = try service(queueDelay: .milliseconds(10))
        let clients = try (0..<8).map { _ in try RawClient(port: service.port) }
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
}
