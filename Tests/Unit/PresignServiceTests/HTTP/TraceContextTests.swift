import SocketTestSupport
import Testing

@testable import DataFormats
@testable import PresignServiceTestSupport

@Suite("traceparent in requests")
struct TraceContextTests {
    private static let ids = "0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331"
    private static let valid = "00-\(ids)-01"

    @Test("A valid traceparent is in the log and in the audit line of every batch item, but in no response")
    func logs() throws {
        let service = try TestService(SampleConfiguration().yaml + "\naudit: {to: stdout}\n")
        let single = #"{"path":"public/a"}"#
        let batch = presignRequest(#"{"requests":[\#(single),{"path":"no/b"}]}"#, ["Traceparent: \(Self.valid)"])
        let requests = [
            presignRequest(single, ["traceparent: \(Self.valid)"]),
            batch.replacing("POST /presign ", with: "POST /presign/batch "),
            presignRequest(single, ["traceparent: 00-bad\",\"forged\":\"1"]),
            "GET /nowhere HTTP/1.1\r\nHost: a\r\ntraceparent: \(Self.valid)\r\n\r\n",
        ]
        for request in requests { #expect(try !service.exchange(request).text.contains(Self.ids)) }
        let lines = service.logLines() + service.auditLines()
        let traced = lines.map { $0.contains(#","traceparent":"\#(Self.valid)","#) }
        #expect(traced.count == 8 && traced.count { $0 } == 6)
        #expect(lines.allSatisfy { !$0.contains("forged") })
        for line in lines { _ = try JSONValue(parsing: Array(line.utf8)) }
    }
}
