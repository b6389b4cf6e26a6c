import Testing

@testable import HTTP1

@Suite("Request parser: what is taken and what is refused")
struct ParserTableTests {
    static let host = "Host: a.example\r\n"

    static let zeros = String(repeating: "0", count: 200)

    static let accepted: [String] = [
        "GET / HTTP/1.1\r\n\(host)\r\n",
        "\r\nGET / HTTP/1.1\r\n\(host)\r\n",
        "\r\n\r\n\r\nGET / HTTP/1.1\r\n\(host)\r\n",
        "GET / HTTP/1.2\r\n\(host)\r\n",
        "GET / HTTP/1.9\r\n\(host)\r\n",
        "GET / HTTP/1.0\r\n\r\n",
        "GET /a%2Fb//c?x=1?y HTTP/1.1\r\n\(host)\r\n",
        "OPTIONS * HTTP/1.1\r\n\(host)\r\n",
        "GET http://A.example/x HTTP/1.1\r\n\(host)\r\n",
        "GET https://a.example HTTP/1.1\r\n\(host)\r\n",
        "GET http://a.example?q HTTP/1.1\r\n\(host)\r\n",
        "OPTIONS http://a.example HTTP/1.1\r\n\(host)\r\n",
        "GET http://b.example/ HTTP/1.1\r\n\(host)\r\n",
        "GET http://a.example:80/ HTTP/1.1\r\n\(host)\r\n",
        "GET / HTTP/1.1\r\nhOsT:a.example:80\r\n\r\n",
        "GET / HTTP/1.1\r\nHost:\t[::1]:8080 \t\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: [2001:db8::ff00:42:8329]\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: [1:2:3:4:5:6:7:8]\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: [::ffff:192.0.2.1]:80\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: [::]\r\n\r\n",
        "GET /a%20b;c=d/~e:@!$&'()*+,?f=/?g%5B%5D HTTP/1.1\r\n\(host)\r\n",
        "GET / HTTP/1.1\r\n\(host)X-Empty:\r\nX-Obs: \u{e9}\r\nX-Tab: a\tb\r\n\r\n",
        "POST / HTTP/1.1\r\n\(host)Content-Length: 3\r\n\r\nabc",
        "POST / HTTP/1.1\r\n\(host)Content-Length: 003\r\n\r\nabc",
        "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n00000000000000000003\r\nabc\r\n\(zeros)\r\n\r\n",
        "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n003;a;b=c ; d = \"e\\\"\"\r\nabc\r\nA\r\n0123456789\r\n00\r\nT: x\r\n\r\n",
    ]

    @Test("Well-formed requests", arguments: accepted)
    func accepts(_ input: String) {
        let result = events(Array(input.utf8))
        #expect(result.count == 1)
        if case .failure(let failure)? = result.first { Issue.record("refused: \(failure)") }
    }

    static let refused: [(String, HTTPFailure)] = [
        ("GET /\r\n\r\n", .malformedRequestLine),
        ("\r\n\n", .malformedRequestLine),
        ("\r\r\n", .malformedRequestLine),
        ("\r\n GET / HTTP/1.1\r\n\(host)\r\n", .malformedRequestLine),
        ("GET / HTTP/1.1\rHost: a\r", .malformedRequestLine),
        ("BREW /pot HTTP/1.1\r\n\(host)\r\n", .unsupportedMethod),
        ("post / HTTP/1.1\r\n\(host)\r\n", .unsupportedMethod),
        ("CONNECT a.example:80 HTTP/1.1\r\n\(host)\r\n", .unsupportedMethod),
        ("CONNECT / HTTP/1.1\r\n\(host)\r\n", .malformedTarget),
        ("\nGET / HTTP/1.1\r\n\(host)\r\n", .malformedRequestLine),
        ("GET / HTTP/1.1\n\(host)\r\n", .malformedRequestLine),
        ("GET  / HTTP/1.1\r\n\(host)\r\n", .malformedTarget),
        ("GET /  HTTP/1.1\r\n\(host)\r\n", .malformedTarget),
        ("GET / HTTP/1.1 \r\n\(host)\r\n", .malformedRequestLine),
        ("GET\t/ HTTP/1.1\r\n\(host)\r\n", .malformedRequestLine),
        (" GET / HTTP/1.1\r\n\(host)\r\n", .malformedRequestLine),
        ("G(T / HTTP/1.1\r\n\(host)\r\n", .malformedRequestLine),
        ("GET / http/1.1\r\n\(host)\r\n", .malformedRequestLine),
        ("GET / HTTP/1.10\r\n\(host)\r\n", .malformedRequestLine),
        ("GET / HTTP/1.01\r\n\(host)\r\n", .malformedRequestLine),
        ("GET / RTSP/1.0\r\n\(host)\r\n", .malformedRequestLine),
        ("GET / HTTP/0.9\r\n\(host)\r\n", .unsupportedVersion),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .unsupportedVersion),
        ("\u{16}\u{3}\u{1}", .malformedRequestLine),
        ("GET /#f HTTP/1.1\r\n\(host)\r\n", .malformedTarget),
        ("GET /\u{e9} HTTP/1.1\r\n\(host)\r\n", .malformedTarget),
        ("GET /\u{7f} HTTP/1.1\r\n\(host)\r\n", .malformedRequestLine),
        ("GET /a\rb HTTP/1.1\r\n\(host)\r\n", .malformedRequestLine),
        ("GET * HTTP/1.1\r\n\(host)\r\n", .malformedTarget),
        ("OPTIONS ** HTTP/1.1\r\n\(host)\r\n", .malformedTarget),
        ("GET a.example:80 HTTP/1.1\r\n\(host)\r\n", .malformedTarget),
        ("GET ftp://a.example/ HTTP/1.1\r\n\(host)\r\n", .malformedTarget),
        ("GET http:///x HTTP/1.1\r\n\(host)\r\n", .malformedTarget),
        ("GET http://u@a.example/ HTTP/1.1\r\n\(host)\r\n", .malformedTarget),
        ("GET / HTTP/1.1\r\n\r\n", .hostCount),
        ("GET / HTTP/1.1\r\n\(host)\(host)\r\n", .hostCount),
        ("GET / HTTP/1.0\r\n\(host)\(host)\r\n", .hostCount),
        ("GET / HTTP/1.1\r\nHost:\r\n\r\n", .malformedHost),
        ("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", .malformedHost),
        ("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", .malformedHost),
        ("GET / HTTP/1.1\r\nHost: a,b:x\r\n\r\n", .malformedHost),
        ("GET / HTTP/1.1\r\nHost: a:65536\r\n\r\n", .malformedHost),
        ("GET / HTTP/1.1\r\nHost: u@a\r\n\r\n", .malformedHost),
        ("GET / HTTP/1.1\r\nHost: a%zz\r\n\r\n", .malformedHost),
        ("GET / HTTP/1.1\r\nHost: [::1\r\n\r\n", .malformedHost),
        ("GET / HTTP/1.1\r\nHost: [1::2::3]\r\n\r\n", .malformedHost),
        ("GET / HTTP/1.1\r\nHost: [12345::]\r\n\r\n", .malformedHost),
        ("GET / HTTP/1.1\r\nHost: [1:2:3:4:5:6:7]\r\n\r\n", .malformedHost),
        ("GET / HTTP/1.1\r\nHost: [1:2:3:4:5:6:7:8:9]\r\n\r\n", .malformedHost),
        ("GET / HTTP/1.1\r\nHost: [1:2:3:4:5:6:7:]\r\n\r\n", .malformedHost),
        ("GET / HTTP/1.1\r\nHost: [::1.2.3]\r\n\r\n", .malformedHost),
        ("GET / HTTP/1.1\r\nHost: [::1.2.3.256]\r\n\r\n", .malformedHost),
        ("GET /%zz HTTP/1.1\r\n\(host)\r\n", .malformedTarget),
        ("GET /%2 HTTP/1.1\r\n\(host)\r\n", .malformedTarget),
        ("GET /a\"b HTTP/1.1\r\n\(host)\r\n", .malformedTarget),
        ("GET /a|b HTTP/1.1\r\n\(host)\r\n", .malformedTarget),
        ("GET /\\a HTTP/1.1\r\n\(host)\r\n", .malformedTarget),
        ("GET /?[x] HTTP/1.1\r\n\(host)\r\n", .malformedTarget),
    ]

    @Test("Malformed request lines and hosts", arguments: refused)
    func refuses(_ input: String, _ failure: HTTPFailure) {
        #expect(events(Array(input.utf8)) == [.failure(failure)])
    }

    static let fields: [(String, HTTPFailure)] = [
        ("X: a\n", .malformedHeader),
        ("X: a\r\r\n", .malformedHeader),
        ("X: a\rb\r\n", .malformedHeader),
        ("X: a\u{0}b\r\n", .malformedHeader),
        ("X: a\u{1f}\r\n", .malformedHeader),
        ("X: \u{7f}\r\n", .malformedHeader),
        ("X : a\r\n", .malformedHeader),
        (": a\r\n", .malformedHeader),
        ("X\r\n", .malformedHeader),
        ("X(: a\r\n", .malformedHeader),
        ("\u{e9}: a\r\n", .malformedHeader),
        ("X: a\r\n b\r\n", .malformedHeader),
        ("\tX: a\r\n", .malformedHeader),
        ("Content-Length: +3\r\n", .malformedContentLength),
        ("Content-Length: -1\r\n", .malformedContentLength),
        ("Content-Length:\r\n", .malformedContentLength),
        ("Content-Length: 3 3\r\n", .malformedContentLength),
        ("Content-Length: 3, 3\r\n", .malformedContentLength),
        ("Content-Length: 0x3\r\n", .malformedContentLength),
        ("Content-Length: 3\r\nContent-Length: 3\r\n", .malformedContentLength),
        ("Content-Length: 18446744073709551619\r\n", .malformedContentLength),
        ("Content-Length: 9223372036854775808\r\n", .malformedContentLength),
        ("Content-Length: 9223372036854775807\r\n", .bodyTooLarge),
        ("Content-Length: 16385\r\n", .bodyTooLarge),
        ("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", .ambiguousFraming),
        ("Transfer-Encoding: chunked\r\nContent-Length: 0\r\n", .ambiguousFraming),
        ("Transfer-Encoding:\r\n", .malformedTransferEncoding),
        ("Transfer-Encoding: chunked, chunked\r\n", .malformedTransferEncoding),
        ("Transfer-Encoding: chunked, gzip\r\n", .malformedTransferEncoding),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", .malformedTransferEncoding),
        ("Transfer-Encoding: chunked;q=1\r\n", .malformedTransferEncoding),
        ("Transfer-Encoding: \u{b}chunked\r\n", .malformedHeader),
        ("Transfer-Encoding: xchunked\r\n", .unsupportedTransferEncoding),
        ("Transfer-Encoding: identity\r\n", .unsupportedTransferEncoding),
        ("Transfer-Encoding: gzip, chunked\r\n", .unsupportedTransferEncoding),
    ]

    @Test("Malformed fields and framing", arguments: fields)
    func refusesField(_ field: String, _ failure: HTTPFailure) {
        let input = "POST / HTTP/1.1\r\n\(Self.host)\(field)\r\n"
        #expect(events(Array(input.utf8)) == [.failure(failure)])
    }

    static let chunks: [(String, HTTPFailure)] = [
        ("\r\n", .malformedChunk), ("g\r\n", .malformedChunk), ("+1\r\n", .malformedChunk),
        ("0x1\r\n", .malformedChunk), (" 1\r\n", .malformedChunk), ("1 \r\n", .malformedChunk),
        ("1\n", .malformedChunk), ("1\r\nab\r\n", .malformedChunk), ("1\r\na\n", .malformedChunk),
        ("1;\r\n", .malformedChunk), ("1;a=\r\n", .malformedChunk), ("1;a=\"b\r\n", .malformedChunk),
        ("1;a\r;b\r\n", .malformedChunk), ("0\r\nX : a\r\n", .malformedChunk), ("0\r\n\n", .malformedChunk),
        ("0\r\nX: a\n\r\n", .malformedChunk), ("10000000000000000\r\n", .malformedChunk),
        ("ffffffffffffffff\r\n", .bodyTooLarge), ("4001\r\n", .bodyTooLarge),
    ]

    @Test(
        "What cannot become a chunk's size is refused before its line ends",
        arguments: [
            "{", "g", "+", "-1", " ", ";", "\"", "0x", "1g", "1\u{b}", "10000000000000000", "ffffffffffffffff0",
            "1\r\na\r\ng", "1\r\nab", "\r",
        ])
    func refusesChunkAtOnce(_ chunk: String) {
        let input = "POST / HTTP/1.1\r\n\(Self.host)Transfer-Encoding: chunked\r\n\r\n\(chunk)"
        #expect(events(Array(input.utf8)) == [.failure(.malformedChunk)])
    }

    @Test("Malformed chunks", arguments: chunks)
    func refusesChunk(_ chunk: String, _ failure: HTTPFailure) {
        let input = "POST / HTTP/1.1\r\n\(Self.host)Transfer-Encoding: chunked\r\n\r\n\(chunk)"
        #expect(events(Array(input.utf8)) == [.failure(failure)])
    }

    @Test("Transfer-Encoding on HTTP/1.0 is refused")
    func oldVersionHasNoChunks() {
        let input = "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        #expect(events(Array(input.utf8)) == [.failure(.ambiguousFraming)])
    }
}
