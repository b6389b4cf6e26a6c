import Testing

@testable import HTTP1
@testable import HTTPServer
@testable import HTTPServerTestSupport
@testable import System

@Suite("Connection: deadlines, with a clock set by the test")
struct ConnectionTimeTests {
    private static let post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n"

    @Test("A slow head times out after 10 seconds in total")
    func header() throws {
        var fixture = try ConnectionFixture()
        for _ in 0..<9 {
            #expect(fixture.receive("G").isEmpty)
            #expect(fixture.advance(seconds: 1).isEmpty)
        }
        #expect(statuses(fixture.advance(seconds: 1)) == [408])
        #expect(fixture.handler.failures == [.headerTimeout])
    }

    @Test("A slow body times out after 30 seconds in total")
    func body() throws {
        var fixture = try ConnectionFixture()
        #expect(fixture.receive(Self.post).isEmpty)
        for _ in 0..<5 {
            #expect(fixture.advance(seconds: 5).isEmpty)
            #expect(fixture.receive("x").isEmpty)
        }
        #expect(statuses(fixture.advance(seconds: 5)) == [408])
        #expect(fixture.handler.failures == [.bodyTimeout])
    }

    @Test("An idle connection closes silently, before the first request and between requests")
    func idle() throws {
        var fresh = try ConnectionFixture()
        #expect(fresh.advance(seconds: 10).isEmpty)
        #expect(fresh.connection.phase == .closed)
        var used = try ConnectionFixture()
        _ = used.receive(Self.post + "123456789")
        #expect(used.advance(seconds: 59).isEmpty)
        #expect(used.connection.phase == .reading)
        #expect(used.advance(seconds: 1).isEmpty)
        #expect(used.connection.phase == .closed)
    }

    @Test("A partial TLS record starts a request, unless no data comes of it")
    func record() throws {
        var fixture = try ConnectionFixture()
        _ = fixture.receive(Self.post + "123456789")
        #expect(fixture.advance(seconds: 59).isEmpty)
        fixture.connection.note(isWithinRecord: true, fixture.context)
        #expect(!fixture.connection.isIdle)
        fixture.connection.drain(fixture.context)
        #expect(fixture.advance(seconds: 9).isEmpty)
        // The record held no data, so the connection is idle again.
        fixture.connection.note(isWithinRecord: false, fixture.context)
        #expect(fixture.connection.isIdle)
        #expect(fixture.advance(seconds: 59).isEmpty)
        for _ in 0..<10 {
            #expect(fixture.connection.phase == .reading)
            fixture.connection.note(isWithinRecord: true, fixture.context)
            _ = fixture.advance(seconds: 1)
        }
        #expect(fixture.handler.failures == [.headerTimeout])
    }

    @Test("An empty line before a request does not start it, in one piece or in two")
    func emptyLine() throws {
        for pieces in [["\r\n"], ["\r", "\n"], ["\r"]] {
            var fixture = try ConnectionFixture()
            _ = fixture.receive(Self.post + "123456789")
            _ = fixture.advance(seconds: 5)
            for piece in pieces { #expect(fixture.receive(piece).isEmpty) }
            #expect(fixture.connection.isIdle)
            var draining = fixture.connection
            draining.drain(fixture.context)
            #expect(draining.phase == .closed)
            #expect(fixture.advance(seconds: 54).isEmpty && fixture.connection.phase == .reading)
            #expect(fixture.advance(seconds: 1).isEmpty && fixture.connection.phase == .closed)
        }
    }

    @Test("A failed request is dated from its first byte", arguments: ["P", "POST / HTTP/1.1\r\nHost: a\r\n", post])
    func began(_ start: String) throws {
        var fixture = try ConnectionFixture()
        _ = fixture.receive(Self.post + "123456789")
        _ = fixture.advance(seconds: 20)
        let first = fixture.context.now
        _ = fixture.receive(start)
        _ = fixture.advance(seconds: 3)
        fixture.connection.receiveEnd(&fixture.context)
        #expect(fixture.handler.failed?.began == first)
    }

    @Test("A rejected request whose body never arrives closes without a second response")
    func refused() throws {
        var fixture = try ConnectionFixture()
        fixture.handler.decision = { _ in .refuse(HTTPResponse(status: 401)) }
        #expect(statuses(fixture.receive(Self.post)) == [401])
        _ = fixture.receive("x")
        #expect(fixture.advance(seconds: 30).isEmpty)
        // Not immediately: closing before the client's last byte could discard the response in flight.
        #expect(fixture.connection.phase == .finishing)
        fixture.connection.finishedWriting(fixture.context)
        #expect(fixture.connection.phase == .lingering)
        #expect(fixture.advance(seconds: 5).isEmpty)
        #expect(fixture.connection.phase == .closed)
    }

    @Test("A lingering connection closes after 5 seconds, whatever it receives")
    func linger() throws {
        var fixture = try ConnectionFixture()
        _ = fixture.receive("\u{1}")
        fixture.connection.finishedWriting(fixture.context)
        _ = fixture.advance(seconds: 4)
        _ = fixture.receive("more")
        #expect(fixture.connection.phase == .lingering)
        _ = fixture.advance(seconds: 1)
        #expect(fixture.connection.phase == .closed)
    }

    @Test(
        "The timeout restarts when a slow client has read its responses",
        arguments: [("", 60), ("POST", 10), (post, 30)] as [(String, Int64)])
    func finishedWaiting(_ begun: String, _ seconds: Int64) throws {
        var fixture = try ConnectionFixture()
        _ = fixture.receive(Self.post + "123456789" + begun)
        fixture.connection.awaitWriting(fixture.context)
        _ = fixture.advance(seconds: 7)
        fixture.connection.finishedWaiting(fixture.context)
        #expect(fixture.connection.deadline == fixture.context.now + TimeSpan(.seconds(seconds)))
    }

    @Test("An unusually large output buffer is released, others are kept")
    func outputMemory() throws {
        var fixture = try ConnectionFixture()
        let usual = fixture.context.limits.bufferedResponseBytes
        for (size, isKept) in [(usual, true), (8 * usual, false)] {
            fixture.context.output = [UInt8](repeating: 0, count: size)
            fixture.context.clearOutput()
            #expect(fixture.context.output.isEmpty && (fixture.context.output.capacity >= size) == isKept)
        }
    }

    @Test("Draining closes a connection idle for long; one just used gets a grace period and one last response")
    func drain() throws {
        var idle = try ConnectionFixture()
        _ = idle.advance(seconds: 5)
        idle.context.isDraining = true
        idle.connection.drain(idle.context)
        #expect(idle.connection.phase == .closed)
        var busy = try ConnectionFixture()
        busy.context.isDraining = true
        busy.connection.drain(busy.context)
        #expect(busy.connection.phase == .reading)
        #expect(busy.receive(Self.post + "123456789").contains("Connection: close"))
    }

    @Test("While draining, the rest of a rejected body gets a grace period and the next request one last response")
    func drainRefused() throws {
        func refused() throws -> ConnectionFixture {
            var fixture = try ConnectionFixture()
            fixture.handler.decision = { _ in .refuse(HTTPResponse(status: 401)) }
            #expect(!fixture.receive(Self.post).contains("Connection: close"))
            _ = fixture.advance(seconds: 5)
            fixture.context.isDraining = true
            fixture.connection.drain(fixture.context)
            return fixture
        }
        var late = try refused()
        #expect(late.connection.phase == .reading)
        #expect(late.advance(seconds: 1).isEmpty)
        #expect(late.connection.phase == .finishing)
        var prompt = try refused()
        #expect(prompt.receive("123456789" + Self.post).contains("Connection: close"))
    }
}
