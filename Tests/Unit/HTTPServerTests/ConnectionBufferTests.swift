import Testing

@testable import HTTP1
@testable import HTTPServer
@testable import HTTPServerTestSupport

@Suite("Memory budget of connections")
struct ConnectionBufferTests {
    private static let limit = 40_000

    /// A connection whose requests may use 30,000 bytes of its budget.
    private static func fixture(charged: Int = 0) throws -> (ConnectionFixture, BufferCharge) {
        var limits = HTTPLimits()
        limits.bodyBytes = 1 << 20
        limits.bufferedBytes = limit
        let fixture = try ConnectionFixture(limits: limits)
        return (fixture, try #require(fixture.context.buffers.charge(charged, for: .response)))
    }

    private static func post(_ fields: String) -> String { "POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n" }

    private static func chunk(_ size: Int) -> String {
        String(size, radix: 16) + "\r\n" + String(repeating: "x", count: size) + "\r\n"
    }

    /// A request in small pieces that needs more than 30,000 bytes of memory in total.
    struct Large: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let pieces: [String]
    }

    static let large = [
        Large(testDescription: "a body of known length", pieces: [post("Content-Length: 29990\r\n")]),
        Large(
            testDescription: "a body after 100 (Continue)",
            pieces: [post("Expect: 100-continue\r\nContent-Length: 30000\r\n")]),
        Large(
            testDescription: "chunks",
            pieces: [post("Transfer-Encoding: chunked\r\n")] + Array(repeating: chunk(4000), count: 8)),
    ]

    @Test("A request above the budget gets 503 before its body arrives, and the connection ends", arguments: large)
    func refused(_ large: Large) throws {
        var (fixture, _) = try Self.fixture()
        var output = ""
        for piece in large.pieces where output.isEmpty { output += fixture.receive(piece) }
        #expect(statuses(output) == [503] && output.contains("Connection: close"))
        #expect(fixture.connection.phase == .finishing && fixture.connection.mustLinger)
        #expect(fixture.handler.failures == [.buffersFull] && fixture.handler.requests.isEmpty)
        #expect(fixture.context.buffers.used == 0 && fixture.context.load.refused == 1)
    }

    @Test("A head above the budget gets 503 as soon as it is too large")
    func head() throws {
        var (fixture, charge) = try Self.fixture(charged: 25_000)
        var output = fixture.receive("GET / HTTP/1.1\r\nHost: a\r\n")
        let field = "X: \(String(repeating: "x", count: 1000))\r\n"
        for _ in 0..<12 where output.isEmpty { output += fixture.receive(field) }
        #expect(statuses(output) == [503] && fixture.context.buffers.used == 25_000)
        _ = charge.resize(to: 0)
    }

    @Test(
        "Requests of up to 4 KiB are served when the budget is exhausted, however they are split",
        arguments: [1, 100, 1024, 4096],
        [
            post("Content-Length: 3000\r\n") + String(repeating: "x", count: 3000),
            post("Transfer-Encoding: chunked\r\n") + chunk(1500) + chunk(1500) + "0\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 4000))\r\n\r\n",
        ])
    func small(size: Int, request: String) throws {
        var (fixture, charge) = try Self.fixture(charged: Self.limit)
        var output = ""
        var rest = request.utf8[...]
        while !rest.isEmpty {
            output += fixture.receive(String(decoding: rest.prefix(size), as: UTF8.self))
            rest = rest.dropFirst(size)
        }
        #expect(statuses(output) == [200] && fixture.context.buffers.used == Self.limit)
        _ = charge.resize(to: 0)
    }

    @Test("A body that arrives with its head is not charged")
    func whole() throws {
        var (fixture, charge) = try Self.fixture(charged: Self.limit)
        let request = Self.post("Content-Length: 50000\r\n") + String(repeating: "x", count: 50_000)
        #expect(statuses(fixture.receive(request)) == [200])
        _ = charge.resize(to: 0)
    }

    @Test("The announced length is charged and reserved, and released after the response")
    func reserved() throws {
        var (fixture, _) = try Self.fixture()
        let head = Self.post("Content-Length: 20000\r\n")
        #expect(fixture.receive(head).isEmpty)
        let size = head.utf8.count + 20_000
        #expect(fixture.context.buffers.used == size)
        for _ in 0..<20 {
            let capacity = try #require(fixture.connection.partial).request.headers.bytes.capacity
            #expect((size..<size + 100).contains(capacity))
            _ = fixture.receive(String(repeating: "x", count: 1000))
        }
        #expect(fixture.handler.requests.first?.body.count == 20_000 && fixture.context.buffers.used == 0)
    }

    @Test("Chunks are charged for the memory they use, which stays close to the largest body")
    func chunked() throws {
        var (fixture, _) = try Self.fixture()
        fixture.handler.decision = { _ in .read(limit: 20_000) }
        _ = fixture.receive(Self.post("Transfer-Encoding: chunked\r\n"))
        for count in 1...5 {
            #expect(fixture.receive(Self.chunk(4000)).isEmpty)
            let partial = try #require(fixture.connection.partial)
            let held = partial.parser.message.content.capacity + partial.request.headers.bytes.capacity
            #expect(partial.parser.message.content.count == count * 4000 && held < 25_000)
            #expect(fixture.context.buffers.used == (count == 1 ? 0 : held))
        }
        #expect(statuses(fixture.receive("0\r\n\r\n")) == [200] && fixture.context.buffers.used == 0)
    }

    @Test("Nothing stays charged, however a request ends", arguments: ["end", "time", "fault", "answer", "close"])
    func returned(how: String) throws {
        var (fixture, _) = try Self.fixture()
        let buffers = fixture.context.buffers
        if how == "fault" {
            _ = fixture.receive(Self.post("Transfer-Encoding: chunked\r\n") + Self.chunk(10_000))
        } else {
            _ = fixture.receive(Self.post("Content-Length: 10000\r\n"))
        }
        #expect(buffers.used >= 10_000)
        switch how {
        case "end": fixture.connection.receiveEnd(&fixture.context)
        case "time": #expect(statuses(fixture.advance(seconds: 3600)) == [408])
        case "fault": #expect(statuses(fixture.receive("z")) == [400])
        case "answer": #expect(statuses(fixture.receive(String(repeating: "x", count: 10_000))) == [200])
        default: fixture.connection = .closed
        }
        #expect(buffers.used == 0)
    }

    @Test("Input above the budget behind a deferred request is dropped, and the response closes the connection")
    func pipelined() throws {
        for excess in [3_000, 10_000] {
            var (fixture, charge) = try Self.fixture(charged: Self.limit)
            var kept: [HTTPDeferral] = []
            fixture.handler.makeResponse = { _, deferral in
                kept.append(deferral)
                return nil
            }
            let next = Self.post("X: \(String(repeating: "x", count: excess))\r\n")
            #expect(fixture.receive(Self.post("") + next).isEmpty)
            #expect((fixture.connection.partial == nil) == (excess > 4096))
            kept.first?.complete(with: HTTPResponse(status: 202))
            fixture.deliver()
            let output: String = fixture.takeOutput()
            #expect(statuses(output) == [202] && output.contains("Connection: close") == (excess > 4096))
            fixture.connection.finishedWriting(fixture.context)
            #expect(fixture.connection.phase == (excess > 4096 ? .lingering : .reading))
            kept.removeAll()
            _ = charge.resize(to: 0)
        }
    }

    @Test("With the budget exhausted, at most about 4 KiB of pipelined responses are buffered")
    func gathering() throws {
        let request = "GET /\(String(repeating: "a", count: 500)) HTTP/1.1\r\nHost: a\r\n\r\n"
        let pipeline = String(repeating: request, count: 20)
        for (charged, isAll) in [(0, true), (Self.limit, false)] {
            var (fixture, charge) = try Self.fixture(charged: charged)
            fixture.receive(Array(pipeline.utf8))
            let output: [UInt8] = fixture.takeOutput()
            #expect(fixture.connection.hasUnparsed != isAll && (output.count < 4096 + 1024) != isAll)
            _ = charge.resize(to: 0)
        }
    }

    @Test("Unsent output above 4 KiB is charged, and released when it is sent or dropped")
    func unsent() {
        let budget = BufferBudget(limit: 10_000)
        var output = UnsentOutput()
        func append(_ count: Int) -> Bool {
            output.append([UInt8](repeating: 1, count: count)[...], chargedTo: budget)
        }
        #expect(append(4096) && budget.used == 0)
        #expect(append(1) && budget.used == 4097 && output.rest == 0..<4097)
        #expect(!append(6000) && output.bytes.count == 4097)
        output.advance(by: 4000)
        #expect(budget.used == 4097 && output.rest == 4000..<4097)
        output.advance(by: 97)
        #expect(budget.used == 0 && output.isEmpty)
        #expect(append(9000) && budget.used == 9000)
        output = UnsentOutput()
        #expect(budget.used == 0)
    }
}
