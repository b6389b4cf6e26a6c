import Testing

@testable import HTTP1
@testable import HTTPServer
@testable import HTTPServerTestSupport
@testable import System

@Suite("Connection: deadlines, on a clock the test sets")
struct ConnectionTimeTests {
    private static let post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n"

    @Test("A head that trickles has 10 seconds in all")
    func header() throws {
        var fixture = try ConnectionFixture()
        for _ in 0..<9 {
            #expect(fixture.receive("G").isEmpty)
            #expect(fixture.advance(seconds: 1).isEmpty)
        }
        #expect(statuses(fixture.advance(seconds: 1)) == [408])
        #expect(fixture.handler.failures == [.headerTimeout])
    }

    @Test("A body that trickles has 30 seconds in all")
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

    @Test("Silence before a first request, and between requests, ends without a word")
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

    @Test("A part of a record begins a request, unless nothing comes of it")
    func record() throws {
        var fixture = try ConnectionFixture()
        _ = fixture.receive(Self.post + "123456789")
        #expect(fixture.advance(seconds: 59).isEmpty)
        fixture.connection.note(isWithinRecord: true, fixture.context)
        #expect(!fixture.connection.isIdle)
        fixture.connection.drain(fixture.context)
        #expect(fixture.advance(seconds: 9).isEmpty)
        // It was no request: from now on it is idle.
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

    @Test("An empty line before a request is no request, in one piece or in two")
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

    @Test("A request that fails began with its first byte", arguments: ["P", "POST / HTTP/1.1\r\nHost: a\r\n", post])
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

    @Test("A refused body that never comes closes without a second answer")
    func refused() throws {
        var fixture = try ConnectionFixture()
        fixture.handler.decision = { _ in .refuse(HTTPResponse(status: 401)) }
        #expect(statuses(fixture.receive(Self.post)) == [401])
        _ = fixture.receive("x")
        #expect(fixture.advance(seconds: 30).isEmpty)
        // Not at once: a close before the client's last byte could destroy the answer on its way.
        #expect(fixture.connection.phase == .finishing)
        fixture.connection.finishedWriting(fixture.context)
        #expect(fixture.connection.phase == .lingering)
        #expect(fixture.advance(seconds: 5).isEmpty)
        #expect(fixture.connection.phase == .closed)
    }

    @Test("A lingering connection ends after 5 seconds, whatever it sends")
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
        "A client that took its answers late gets the time of its stage anew",
        arguments: [("", 60), ("POST", 10), (post, 30)] as [(String, Int64)])
    func finishedWaiting(_ begun: String, _ seconds: Int64) throws {
        var fixture = try ConnectionFixture()
        _ = fixture.receive(Self.post + "123456789" + begun)
        fixture.connection.awaitWriting(fixture.context)
        _ = fixture.advance(seconds: 7)
        fixture.connection.finishedWaiting(fixture.context)
        #expect(fixture.connection.deadline == fixture.context.now + TimeSpan(.seconds(seconds)))
    }

    @Test("Output that was far larger than most gives its memory back, others keep it")
    func outputMemory() throws {
        var fixture = try ConnectionFixture()
        let usual = fixture.context.limits.bufferedAnswerBytes
        for (size, isKept) in [(usual, true), (8 * usual, false)] {
            fixture.context.output = [UInt8](repeating: 0, count: size)
            fixture.context.clearOutput()
            #expect(fixture.context.output.isEmpty && (fixture.context.output.capacity >= size) == isKept)
        }
    }

    @Test("Draining: idle for long closes at once, busy just now gets its grace and one last answer")
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

    @Test("Draining: the rest of a refused body gets its grace, and what follows it one last answer")
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
