import System
import Testing

@testable import HTTP1
@testable import HTTP1TestSupport
@testable import HTTPServer
@testable import HTTPServerTestSupport

@Suite("Connection: responses, keep-alive and closing")
struct ConnectionTests {
    static let head = " HTTP/1.1\r\nHost: a\r\n"

    @Test("A request that a handler retains is not overwritten by the next request")
    func kept() throws {
        var fixture = try ConnectionFixture()
        _ = fixture.receive("POST /1 HTTP/1.1\r\nHost: a\r\nOrigin: b\r\nContent-Length: 1\r\n\r\nx")
        _ = fixture.receive(
            "POST /second HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nyz\r\n0\r\n\r\n")
        _ = fixture.receive("GET /3\(Self.head)\r\n")
        let requests = fixture.handler.requests
        #expect(requests.map { text($0.path) } == ["/1", "/second", "/3"])
        #expect(requests.map { text($0.body) } == ["x", "yz", ""])
        #expect(requests.map { $0.headers.first(.origin).map { text($0) } } == ["b", nil, nil])
        #expect(requests.map { $0.headers.contains(.contentLength) } == [true, false, false])
    }

    @Test("A response has a date, a length and a body")
    func response() throws {
        var fixture = try ConnectionFixture()
        let output = fixture.receive("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi")
        #expect(
            output == "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 5\r\n\r\n/x|hi")
        #expect(fixture.connection.isIdle)
    }

    @Test(
        "HEAD gets the length without the body; 204 and 304 get neither",
        arguments: [("HEAD", 200), ("GET", 204), ("GET", 304)])
    func bodiless(_ method: String, _ status: Int) throws {
        var fixture = try ConnectionFixture()
        fixture.handler.makeResponse = { _, _ in HTTPResponse(status: status, body: [1, 2, 3]) }
        let output = fixture.receive("\(method) /\(Self.head)\r\n")
        #expect(output.hasSuffix("\r\n\r\n"))
        #expect(output.contains("Content-Length: 3") == (status == 200))
    }

    static let keeping: [(String, Bool, Bool)] = [
        ("GET / HTTP/1.1\r\nHost: a\r\n", true, false), ("GET / HTTP/1.0\r\n", false, false),
        ("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n", true, true),
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: x , CLOSE\r\n", false, false),
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\nConnection: close\r\n", false, false),
        ("GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n", false, false),
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: closed\r\n", true, false),
    ]

    @Test("The Connection header and the version decide whether the connection stays open", arguments: keeping)
    func keepAlive(_ head: String, _ keeps: Bool, _ says: Bool) throws {
        var fixture = try ConnectionFixture()
        let output = fixture.receive(head + "\r\n")
        #expect(fixture.connection.phase == (keeps ? .reading : .finishing))
        #expect(output.contains("Connection: close\r\n") == !keeps)
        #expect(output.contains("Connection: keep-alive\r\n") == says)
    }

    @Test("Pipelined requests get their responses together and in order; input after close is ignored")
    func pipelining() throws {
        var fixture = try ConnectionFixture()
        let output = fixture.receive(
            "GET /1\(Self.head)\r\nGET /2\(Self.head)Connection: close\r\n\r\nGET /3\(Self.head)\r\n")
        #expect(statuses(output) == [200, 200])
        #expect(fixture.handler.requests.map { text($0.path) } == ["/1", "/2"])
        #expect(fixture.connection.mustLinger)
    }

    @Test("Responses beyond the buffer limit wait until it is empty")
    func backPressure() throws {
        var limits = HTTPLimits()
        limits.bufferedResponseBytes = 1
        var fixture = try ConnectionFixture(limits: limits)
        #expect(statuses(fixture.receive("GET /1\(Self.head)\r\nGET /2\(Self.head)\r\n")) == [200])
        #expect(fixture.connection.hasUnparsed)
        fixture.connection.resume(&fixture.context)
        #expect(statuses(fixture.takeOutput()) == [200])
        #expect(fixture.connection.isIdle)
    }

    @Test("A failure gets a response, and the input after it is never parsed")
    func failure() throws {
        var fixture = try ConnectionFixture()
        let output = fixture.receive("GET / HTTP/1.1\r\nHost: a\r\nX : y\r\n\r\nGET /2\(Self.head)\r\n")
        #expect(statuses(output) == [400])
        #expect(fixture.connection.phase == .finishing)
        #expect(fixture.receive("GET /3\(Self.head)\r\n").isEmpty)
        fixture.connection.finishedWriting(fixture.context)
        #expect(fixture.connection.phase == .lingering)
        #expect(fixture.receive("GET /4\(Self.head)\r\n").isEmpty)
        #expect(fixture.handler.requests.isEmpty)
    }

    @Test("A lingering connection reads a limited number of bytes")
    func linger() throws {
        var limits = HTTPLimits()
        limits.lingerBytes = 4
        var fixture = try ConnectionFixture(limits: limits)
        _ = fixture.receive("\u{1}")
        fixture.connection.finishedWriting(fixture.context)
        _ = fixture.receive("abcd")
        #expect(fixture.connection.phase == .lingering)
        _ = fixture.receive("e")
        #expect(fixture.connection.phase == .closed)
    }

    @Test("A request split at any byte gets the same response")
    func splits() throws {
        let input = "PUT /x\(Self.head)Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"
        for point in 1..<input.utf8.count {
            var fixture = try ConnectionFixture()
            let first = fixture.receive(text(input.utf8.prefix(point)))
            let output = first + fixture.receive(text(input.utf8.dropFirst(point)))
            #expect(output.hasSuffix("/x|hi"))
            #expect(fixture.handler.heads.count == 1)
            #expect(fixture.connection.isIdle)
        }
    }

    @Test("An idle connection uses less than 200 bytes")
    func size() {
        #expect(MemoryLayout<EventLoop<EpollQueue>.Slot>.stride < 200)
    }

    @Test("At end of input an idle connection closes silently and a partial request gets 400")
    func endOfInput() throws {
        var idle = try ConnectionFixture()
        idle.connection.receiveEnd(&idle.context)
        #expect(idle.connection.phase == .closed)
        // Half an empty line does not start a request.
        var empty = try ConnectionFixture()
        _ = empty.receive("\r")
        empty.connection.receiveEnd(&empty.context)
        #expect(empty.connection.phase == .closed && empty.handler.failures.isEmpty)
        var half = try ConnectionFixture()
        _ = half.receive("GET / HT")
        half.connection.receiveEnd(&half.context)
        #expect(statuses(half.takeOutput()) == [400])
        half.connection.finishedWriting(half.context)
        #expect(half.connection.phase == .closed)
    }
}
