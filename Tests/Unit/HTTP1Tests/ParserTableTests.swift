import Testing

@testable import HTTP1
@testable import HTTP1TestSupport

@Suite("Request parser: accepted and rejected messages")
struct ParserTableTests {
    @Test("Accepts well-formed requests", arguments: MessageTable.accepted)
    func accepts(_ input: String) {
        let result = events(Array(input.utf8))
        #expect(result.count == 1)
        if case .failure(let failure)? = result.first { Issue.record("refused: \(failure)") }
    }

    @Test("Rejects malformed request lines and hosts", arguments: MessageTable.refused)
    func refuses(_ input: String, _ failure: HTTPFailure) {
        #expect(events(Array(input.utf8)) == [.failure(failure)])
    }

    @Test("Rejects malformed fields and framing", arguments: MessageTable.fields)
    func refusesField(_ field: String, _ failure: HTTPFailure) {
        let input = "POST / HTTP/1.1\r\n\(MessageTable.host)\(field)\r\n"
        #expect(events(Array(input.utf8)) == [.failure(failure)])
    }

    @Test(
        "Rejects an invalid chunk size before the line ends",
        arguments: [
            "{", "g", "+", "-1", " ", ";", "\"", "0x", "1g", "1\u{b}", "10000000000000000", "ffffffffffffffff0",
            "1\r\na\r\ng", "1\r\nab", "\r",
        ])
    func refusesChunkAtOnce(_ chunk: String) {
        let input = "POST / HTTP/1.1\r\n\(MessageTable.host)Transfer-Encoding: chunked\r\n\r\n\(chunk)"
        #expect(events(Array(input.utf8)) == [.failure(.malformedChunk)])
    }

    @Test("Rejects malformed chunks", arguments: MessageTable.chunks)
    func refusesChunk(_ chunk: String, _ failure: HTTPFailure) {
        let input = "POST / HTTP/1.1\r\n\(MessageTable.host)Transfer-Encoding: chunked\r\n\r\n\(chunk)"
        #expect(events(Array(input.utf8)) == [.failure(failure)])
    }

    @Test("Rejects Transfer-Encoding on HTTP/1.0")
    func oldVersionHasNoChunks() {
        let input = "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        #expect(events(Array(input.utf8)) == [.failure(.ambiguousFraming)])
    }
}
