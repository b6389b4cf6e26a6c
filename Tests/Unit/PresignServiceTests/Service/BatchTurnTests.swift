import HTTPServerTestSupport
import Requests
import SocketTestSupport
import Testing

@testable import PresignServiceTestSupport

@Suite("Turns of batches")
struct BatchTurnTests {
    @Test("A small batch waits for a turn of another caller's large batches, not for their end")
    func smallBatch() throws {
        let service = try TestService()
        service.holdBatches()
        let item = #"{"path":"public/a"}"#
        let large = batchRequest(Array(repeating: item, count: 1000))
        let small = batchRequest(Array(repeating: item, count: 10), key: SampleConfiguration.Key.other)
        let clients = [large, large, large, large, small].map { request in
            let client = service.connect()
            client.send(request)
            return client
        }
        service.releaseBatches()
        for client in clients { #expect(try client.response()?.batch().problems.isEmpty == true) }
        let callers = try LogLine.all(of: service).map(\.caller)
        #expect(callers == ["caller:other"] + Array(repeating: "caller:web", count: 4))
    }
}
