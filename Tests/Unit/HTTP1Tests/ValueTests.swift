import Testing

@testable import HTTP1
@testable import HTTP1TestSupport

@Suite("Headers, responses, dates")
struct ValueTests {
    @Test("A lookup by name returns every field with that name")
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
        ("origin", .origin), ("x-request-id", .requestID), ("service-worker", .serviceWorker),
        ("traceparent", .traceParent),
        ("transfer-encoding", .transferEncoding), ("user-agent", .userAgent),
    ]

    @Test("A known field name is recognised in any case", arguments: names)
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
        "A field that would split the response, or that the server writes itself, is not added",
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
        "Dates are in IMF-fixdate",
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

    @Test("The cached date advances with the clock, across midnight, and goes back with it")
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

    @Test(
        "A response to HEAD can state the length of content that is elsewhere; others state their own",
        arguments: [true, false])
    func statedLength(isHead: Bool) {
        var response = HTTPResponse(status: 200, body: Array("ab".utf8))
        response.statedLength = 3_000_000_000
        var output: [UInt8] = []
        response.serialize(as: .init(omitsBody: isHead), date: Array("d".utf8), to: &output)
        let length = isHead ? "3000000000\r\n\r\n" : "2\r\n\r\nab"
        #expect(text(output) == "HTTP/1.1 200 OK\r\nDate: d\r\nContent-Length: " + length)
    }

    @Test("A head is written completely, however long its fields are", arguments: [0, 29, 192, 193, 100_000])
    func longHead(count: Int) {
        let (field, date) = (String(repeating: "a", count: count), String(repeating: "d", count: count))
        var response = HTTPResponse(status: 599, body: Array(field.utf8))
        response.add("x-long", Array(field.utf8))
        var output: [UInt8] = []
        response.serialize(as: .init(closes: true), date: Array(date.utf8), to: &output)
        let head = "HTTP/1.1 599 \r\nDate: \(date)\r\nContent-Length: \(count)\r\nConnection: close\r\n"
        #expect(text(output) == head + "x-long: \(field)\r\n\r\n" + field)
    }
}
