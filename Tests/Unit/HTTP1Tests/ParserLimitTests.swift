import Testing

@testable import HTTP1
@testable import HTTP1TestSupport

@Suite("Request parser: limits, exactly at and one above")
struct ParserLimitTests {
    private func outcome(_ input: String, _ change: (inout HTTPLimits) -> Void) -> HTTPFailure? {
        var limits = HTTPLimits()
        change(&limits)
        guard case .failure(let failure)? = events(Array(input.utf8), limits: limits).last else { return nil }
        return failure
    }

    @Test("The request line is limited")
    func requestLine() {
        let input = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n"
        #expect(outcome(input) { $0.requestLine = 15 } == nil)
        #expect(outcome(input) { $0.requestLine = 14 } == .requestLineTooLong)
        #expect(outcome("GET /" + String(repeating: "x", count: 9)) { $0.requestLine = 14 } == nil)
        #expect(outcome("GET /" + String(repeating: "x", count: 10)) { $0.requestLine = 14 } == .requestLineTooLong)
    }

    @Test("Header bytes are limited: two lines of 9 and 7 bytes")
    func headerBytes() {
        let input = "GET / HTTP/1.1\r\nHost: a\r\nX: yz\r\n\r\n"
        #expect(outcome(input) { $0.headerBytes = 16 } == nil)
        #expect(outcome(input) { $0.headerBytes = 15 } == .headerBytesExceeded)
        #expect(outcome(text(input.utf8.dropLast(3))) { $0.headerBytes = 15 } == .headerBytesExceeded)
    }

    @Test("The number of header fields is limited")
    func headerCount() {
        let input = "GET / HTTP/1.1\r\nHost: a\r\nX: yz\r\n\r\n"
        #expect(outcome(input) { $0.headerCount = 2 } == nil)
        #expect(outcome(input) { $0.headerCount = 1 } == .headerCountExceeded)
    }

    @Test(
        "The body is limited, with a length or in chunks",
        arguments: [
            "Content-Length: 4\r\n\r\nabcd", "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n",
        ])
    func body(_ rest: String) {
        let input = "POST / HTTP/1.1\r\nHost: a\r\n" + rest
        #expect(outcome(input) { $0.bodyBytes = 4 } == nil)
        #expect(outcome(input) { $0.bodyBytes = 3 } == .bodyTooLarge)
    }

    @Test("Chunk extensions and trailers share a limit: 4 and 6 bytes")
    func trailers() {
        let input = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;a=b\r\nx\r\n0\r\nT: v\r\n\r\n"
        #expect(outcome(input) { $0.trailerBytes = 10 } == nil)
        #expect(outcome(input) { $0.trailerBytes = 9 } == .trailerBytesExceeded)
        #expect(outcome(input) { $0.trailerBytes = 3 } == .trailerBytesExceeded)
    }
}
