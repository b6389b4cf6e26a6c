import Dispatch
import HTTPServerTestSupport
import SocketTestSupport
import Testing

@testable import PresignService
@testable import PresignServiceTestSupport

@Suite("Memory limits of batches")
struct BatchMemoryTests {
    private static let item = #"{"path":"public/a"}"#

    private static func service() throws -> TestService {
        var configuration = SampleConfiguration()
        configuration.limits = "{bufferedBytes: 64k}"
        return try TestService(configuration.yaml)
    }

    private static func expectRefusal(_ response: RawResponse?) throws {
        let response = try #require(response)
        #expect(response.status == 503 && response["retry-after"] == "1")
        let problem = try response.problem()
        #expect(problem.code == "overloaded" && problem.detail.contains("memory"), "\(problem)")
    }

    /// The value of a metric without labels.
    private static func value(_ name: String, _ service: TestService) throws -> String? {
        let text = String(
            decoding: try service.exchange("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n").body, as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
        return line.map { String($0.dropFirst(name.count + 1)) }
    }

    @Test("A response above the memory budget is rejected, a smaller one is sent, and nothing stays charged")
    func response() throws {
        let service = try Self.service()
        for count in [10, 1000, 10, 1000] {
            let response = try service.exchange(batchRequest(Array(repeating: Self.item, count: count)))
            if count == 10 {
                #expect(try response.batch().statuses == Array(repeating: 200, count: 10))
            } else {
                try Self.expectRefusal(response)
            }
        }
        service.awaitBatches()
        #expect(try Self.value("presign_http_buffered_bytes", service) == "0")
    }

    @Test("A waiting batch stays charged until it is cancelled")
    func waiting() throws {
        var configuration = SampleConfiguration()
        configuration.limits = "{bufferedBytes: 64k}"
        configuration.timeouts = "{answer: 1s}"
        let service = try TestService(configuration.yaml + "\nexistence: {timeout: 100ms}\n")
        service.holdBatches()
        let client = service.connect()
        client.send(batchRequest(Array(repeating: Self.item, count: 1000)))
        #expect(try Self.value("presign_http_buffered_bytes", service) != "0")
        service.advance(by: .seconds(1))
        #expect(try client.response()?.status == 504)
        service.releaseBatches()
        #expect(try service.exchange(batchRequest([Self.item])).batch().statuses == [200])
        service.awaitBatches()
        #expect(try Self.value("presign_http_buffered_bytes", service) == "0")
    }
}
