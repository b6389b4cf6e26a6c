import SocketTestSupport
import Testing

@Suite("Turns of batches")
struct BatchTurnTests {
    private static func metrics(of service: LiveService) throws -> String {
        String(decoding: try service.exchange("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n").body, as: UTF8.self)
    }

    @Test("A small batch waits for a turn of another caller's large batches, not for their end")
    func smallBatch() throws {
        let service = try LiveService()
        service.holdBatches()
        let large = batchRequest(Array(repeating: #"{"path":"public/a"}"#, count: 1000))
        let small = batchRequest(Array(repeating: #"{"path":"public/a"}"#, count: 10), key: LiveConfiguration.Key.other)
        let clients = try ([large, large, large, large, small]).map { request in
            let client = try RawClient(port: service.port)
            client.send(request)
            return client
        }
        var polls = 0
        let waiting = "presign_http_requests_in_flight 5\n"
        while try !Self.metrics(of: service).contains(waiting), polls < 1000 { polls += 1 }
        #expect(polls < 1000)
        service.releaseBatches()
        for client in clients { #expect(try client.response()?.batch().problems.isEmpty == true) }
        let callers = try LogLine.all(in: service.logLines()).filter { $0.path == "/presign/batch" }.map(\.caller)
        #expect(callers == ["apikey:other"] + Array(repeating: "apikey:web", count: 4))
    }
}
