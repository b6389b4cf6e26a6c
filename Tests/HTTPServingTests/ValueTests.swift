import Testing

@testable import HTTP1
@testable import HTTPServer
@testable import System

@Suite("Addresses, headers, responses, dates")
struct ValueTests {
    @Test(
        "Listen addresses are read and written",
        arguments: ["0.0.0.0:8080", "[::]:8080", ":8080", "localhost:0", "unix:/run/x.sock", "[2001:db8::1]:65535"])
    func listenAddress(_ input: String) throws {
        #expect(try ListenAddress.parse(input).description == input)
    }

    @Test(
        "Unreadable listen addresses are refused, and named",
        arguments: [
            "", "8080", "::1:8080", "a.example:80", "1.2.3.4:65536", "1.2.3.4:+1", "1.2.3.4:", "[1.2.3.4]:80", "unix:",
        ])
    func unreadableAddress(_ input: String) {
        let error = #expect(throws: ListenAddressError.self) { try ListenAddress.parse(input) }
        #expect(error?.description.contains("'\(input)'") == true)
    }

    @Test(
        "Literals of addresses, and what is none",
        arguments: [
            ("192.0.2.1", .ipv4(0xC000_0201)), ("0.0.0.0", .ipv4(0)), ("::", .ipv6(0, 0)), ("::1", .ipv6(0, 1)),
            ("2001:DB8::1", .ipv6(0x2001_0DB8_0000_0000, 1)), ("::ffff:192.0.2.1", .ipv4(0xC000_0201)),
            ("::ffff:c000:201", .ipv4(0xC000_0201)), ("::192.0.2.1", .ipv6(0, 0xC000_0201)),
            ("::fffe:192.0.2.1", .ipv6(0, 0xFFFE_C000_0201)),
            ("1:2:3:4:5:6:7:8", .ipv6(0x1_0002_0003_0004, 0x5_0006_0007_0008)),
            ("", nil), ("1", nil), ("192.0.2", nil), ("192.0.2.256", nil), ("192.0.2.01", nil), ("192.0.2.1 ", nil),
            (" 192.0.2.1", nil), ("192.0.2.1:80", nil), ("[::1]", nil), ("::1%lo", nil), (":::", nil), ("1:2", nil),
            ("12345::", nil), ("::1\0", nil), ("192.0.2.1\0x", nil), ("unknown", nil), ("unix", nil),
            ("0x7f.0.0.1", nil),
            ("\u{661}.0.0.1", nil), ("1:2:3:4:5:6:7:8:9", nil), ("2130706433", nil),
        ] as [(String, PeerAddress?)])
    func addressLiteral(text: String, address: PeerAddress?) {
        #expect(PeerAddress(literal: Array(text.utf8).span) == address)
    }

    @Test(
        "Peers are written as RFC 5952 says",
        arguments: [
            (PeerAddress.ipv4(0xC000_0201), "192.0.2.1"),
            (.ipv4(0x0009_0AFF), "0.9.10.255"), (.ipv4(0x6364_65C8), "99.100.101.200"),
            (.unix, "unix"), (.ipv6(0, 0), "::"), (.ipv6(0, 1), "::1"),
            (.ipv6(0x2001_0DB8_0000_0000, 0x0001_0000_0000_0001), "2001:db8::1:0:0:1"),
            (.ipv6(0x2001_0DB8_0000_0001, 0x0001_0001_0001_0001), "2001:db8:0:1:1:1:1:1"),
            (.ipv6(0xFE80_0000_0000_0000, 0), "fe80::"),
        ])
    func peer(_ address: PeerAddress, _ expected: String) { #expect(address.description == expected) }

    @Test("Fields are found by name, all of them")
    func headers() {
        let headers = HTTPHeaders([("X-API-Key", "a"), ("x-api-key", "b"), ("X-API-Ke", "c")])
        #expect(headers.first(.apiKey).map { text($0) } == "a")
        #expect(headers.count(.apiKey) == 2)
        #expect(headers.values(.apiKey).map { text($0) } == ["a", "b"])
        #expect(headers.first(.origin) == nil && headers.count(.origin) == 0 && headers.values(.origin).isEmpty)
        #expect(headers.map { text($0.name) } == ["X-API-Key", "x-api-key", "X-API-Ke"])
    }

    static let names: [(String, HTTPFieldName)] = [
        ("accept", .accept), ("access-control-request-headers", .accessControlRequestHeaders),
        ("access-control-request-method", .accessControlRequestMethod), ("x-api-key", .apiKey),
        ("authorization", .authorization), ("connection", .connection), ("content-encoding", .contentEncoding),
        ("content-length", .contentLength), ("content-type", .contentType), ("expect", .expect), ("host", .host),
        ("origin", .origin), ("x-request-id", .requestID), ("traceparent", .traceParent),
        ("transfer-encoding", .transferEncoding), ("user-agent", .userAgent),
    ]

    @Test("A known name is known in any case of letters, and no other name is", arguments: names)
    func knownName(_ name: String, _ known: HTTPFieldName) {
        let bytes = Array(name.utf8)
        #expect(Self.known(bytes) == known && Self.known(Array(name.uppercased().utf8)) == known)
        for index in bytes.indices {
            for byte in UInt8.min...UInt8.max {
                var other = bytes
                other[index] = byte
                #expect((Self.known(other) == known) == (text(other).lowercased() == name), "\(text(other))")
            }
        }
        #expect(Self.known(bytes.dropLast()) != known && Self.known(bytes + [0x78]) != known)
        #expect(HTTPHeaders([("a", "b"), (name, "c")]).first(known).map { text($0) } == "c")
    }

    private static func known(_ bytes: [UInt8]) -> HTTPFieldName? { HTTPFieldName(bytes.span) }

    @Test(
        "A field that would split the answer, or that the server writes, is not added",
        arguments: ["a\r\nb", "a\nb", "\r", "\u{0}", "\u{7f}"])
    func fields(_ value: String) {
        var response = HTTPResponse(status: 200)
        let added = [
            response.add("X-A", "one"), response.add("X-B", value), response.add("Content-Length", "3"),
            response.add("Bad Name", "3"),
        ]
        #expect(added == [true, false, false, false])
        #expect(text(response.fields.bytes) == "X-A: one\r\n")
    }

    @Test(
        "Dates",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_827_696, "Tue, 29 Feb 2000 12:34:56 GMT"), (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
            (1_798_761_599, "Thu, 31 Dec 2026 23:59:59 GMT"),
        ] as [(Int64, String)])
    func dates(_ seconds: Int64, _ expected: String) {
        var date = DateText()
        date.update(to: seconds)
        #expect(text(date.bytes) == expected)
    }

    @Test("A date goes on with the seconds, over a day's end, and back with a clock that is set back")
    func laterDates() {
        var date = DateText()
        for (seconds, expected) in [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (784_111_778, "Sun, 06 Nov 1994 08:49:38 GMT"),
            (784_166_399, "Sun, 06 Nov 1994 23:59:59 GMT"), (784_166_400, "Mon, 07 Nov 1994 00:00:00 GMT"),
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        ] as [(Int64, String)] {
            date.update(to: seconds)
            #expect(text(date.bytes) == expected)
        }
    }

    @Test("Absurd time-outs saturate")
    func time() {
        #expect(MonotonicTime(nanoseconds: 1) + TimeSpan(.seconds(Int64.max)) == .distantFuture)
        #expect(MonotonicTime.distantFuture.milliseconds(from: .now()) == -1)
        #expect(MonotonicTime(nanoseconds: 1_000_001).milliseconds(from: MonotonicTime(nanoseconds: 0)) == 2)
    }
}
