import TestSupport
import Testing

@testable import HTTP1
@testable import HTTP1TestSupport

@Suite("Request parser: splitting the input changes nothing")
struct ParserSplitTests {
    static let stream = Array(
        ("\r\nPOST /presign?a=b HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nX-A:  b c \r\n\r\nhello"
            + "GET /2 HTTP/1.0\r\n\r\n"
            + "PUT /3 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nT: v\r\n\r\n"
            + "GET http://a/4 HTTP/1.1\r\nHost: a\r\n\r\n").utf8)

    @Test("The whole stream contains four requests")
    func whole() {
        let result = events(Self.stream)
        #expect(
            result == [
                .request(
                    method: "POST", path: "/presign", query: "a=b",
                    fields: ["Host=a", "Content-Length=5", "X-A=b c"], body: "hello"),
                .request(method: "GET", path: "/2", query: nil, fields: [], body: ""),
                .request(
                    method: "PUT", path: "/3", query: nil, fields: ["Host=a", "Transfer-Encoding=chunked"],
                    body: "abcde"),
                .request(method: "GET", path: "/4", query: nil, fields: ["Host=a"], body: ""),
            ])
    }

    @Test("The result is the same split in two at every byte, byte by byte, and with parsed bytes dropped")
    func splits() {
        let expected = events(Self.stream)
        for point in 0...Self.stream.count {
            #expect(events(Self.stream, pieces: [point]) == expected)
            #expect(events(Self.stream, pieces: [point], dropping: true) == expected)
        }
        let single = Array(repeating: 1, count: Self.stream.count)
        #expect(events(Self.stream, pieces: single) == expected)
        #expect(events(Self.stream, pieces: single, dropping: true) == expected)
    }

    @Test("An invalid stream fails with the same error at every split", arguments: MessageTable.refused.map(\.0))
    func failures(_ input: String) {
        let bytes = Array(input.utf8)
        let expected = events(bytes)
        for point in 0...bytes.count { #expect(events(bytes, pieces: [point]) == expected) }
    }

    @Test("Random streams of grammar fragments parse the same when split at random", arguments: 0..<200)
    func random(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let fragments = [
            "GET ", "/", " HTTP/1.1", "\r\n", "\r\n", "\r\n\r\n", "Host: a", "Content-Length: 3", "abc", "\n", "\r",
            ":",
            "Transfer-Encoding: chunked\r\n\r\n", "3\r\nabc\r\n", "0\r\n\r\n", " ", "\u{0}",
            "POST / HTTP/1.1\r\nHost: a\r\n",
        ]
        var limits = HTTPLimits()
        limits.requestLine = 24
        limits.headerBytes = 64
        limits.headerCount = 3
        limits.trailerBytes = 16
        let input = (0..<12).flatMap { _ in
            Array(fragments[Int.random(in: 0..<fragments.count, using: &generator)].utf8)
        }
        let expected = events(input, limits: limits)
        for _ in 0..<20 {
            let pieces = (0..<input.count).map { _ in Int.random(in: 1...9, using: &generator) }
            #expect(events(input, pieces: pieces, limits: limits, dropping: true) == expected)
        }
    }
}
