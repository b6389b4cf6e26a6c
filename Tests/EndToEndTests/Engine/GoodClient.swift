import Foundation
import SocketTestSupport
import Testing

/// Asks for the standing URL again and again, and takes the time of each answer, connecting included.
struct GoodClient {
    private let port: UInt16
    private let request: String
    private let standing: RawClient
    private var times: [Duration] = []

    init(of service: PresignProcess) throws {
        port = try service.port
        request = """
            POST /presign HTTP/1.1\r\nHost: \(service.address)\r\nX-API-Key: \(service.apiKey)\r
            Content-Type: application/json\r\nContent-Length: \(Engine.body.utf8.count)\r\n\r\n\(Engine.body)
            """
        standing = try RawClient(port: port)
    }

    /// Once over the connection it keeps, and once over one of its own.
    mutating func ask() throws {
        try ask(standing)
        let start = ContinuousClock.now
        let fresh = try RawClient(port: port)
        times.append(.now - start)
        try ask(fresh)
    }

    private mutating func ask(_ client: RawClient) throws {
        let start = ContinuousClock.now
        let answer = client.send(request) ? try client.response() : nil
        times.append(.now - start)
        #expect(answer?.status == 200)
    }

    /// Everything took at most 100 ms. One exception may be this machine's, if it was under a second.
    func expectServed() throws {
        let sorted = times.sorted()
        try #require(sorted.count > 20, "\(sorted)")
        let (worst, next) = (sorted[sorted.count - 1], sorted[sorted.count - 2])
        #expect(next <= .milliseconds(100 * Engine.slowness), "\(next), and of all \(sorted.count) \(worst)")
        #expect(worst <= .seconds(Engine.slowness), "\(worst)")
    }
}
