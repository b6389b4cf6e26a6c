import Foundation
import SocketTestSupport
import TestSupport
import Testing

extension Loads {
    /// Failures around the service and their effect on its clients: nothing hangs or ends, and no response is wrong.
    @Suite("Chaos", .serialized)
    enum Chaos {
        /// A plain request with the API key.
        static func request(
            _ service: PresignProcess, _ body: String = Loads.body, closes: Bool = false
        ) -> String {
            """
            POST /presign HTTP/1.1\r\nHost: \(service.address)\r\nX-API-Key: \(service.apiKey)\r
            Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r
            \(closes ? "Connection: close\r\n" : "")\r\n\(body)
            """
        }

        /// Sends one request on a new connection.
        static func ask(_ service: PresignProcess, _ body: String = Loads.body) throws -> RawResponse? {
            let client = try RawClient(port: service.port)
            client.send(request(service, body, closes: true))
            return try client.response()
        }

        /// Waits for a condition that must become true.
        static func settles(_ what: Comment, _ isReached: () async throws -> Bool) async throws {
            let isReached = try await eventually(within: .seconds(30 * Loads.slowness), isReached)
            try #require(isReached, what)
        }

        /// The processor time, in seconds, that a process uses until it times out a request without its last byte.
        static func processorTime(
            of process: Int32, untilTimeoutOf request: String, from client: RawClient
        ) throws -> Double {
            let start = try processorTime(of: process)
            client.send(String(request.dropLast()))
            #expect(try client.response()?.status == 408)
            return try processorTime(of: process) - start
        }

        /// Processor time used so far, in seconds: proc(5), fields 14 and 15 of /proc/PID/stat, in hundredths of a
        /// second.
        static func processorTime(of process: Int32) throws -> Double {
            let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            let fields = try #require(text.split(separator: ")").last).split(separator: " ")
            return (try #require(Double(fields[11])) + (try #require(Double(fields[12])))) / 100
        }
    }
}

extension PresignProcess {
    /// Whether the diagnostics contain the text.
    func hasLogged(_ text: String) throws -> Bool { try String(contentsOf: log, encoding: .utf8).contains(text) }

}
