import Testing

@testable import HTTP1
@testable import HTTPServer
@testable import HTTPServerTestSupport
@testable import System

@Suite("A connection when too much comes")
struct ConnectionLoadTests {
    private static let post = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"

    @Test("requests above the limit are refused, each in order, and the connection goes on")
    func refused() throws {
        var fixture = try ConnectionFixture()
        fixture.isOverloaded = true
        #expect(statuses(fixture.receive(Self.post + Self.post)) == [503, 503])
        #expect(fixture.handler.requests.isEmpty)
        fixture.isOverloaded = false
        #expect(statuses(fixture.receive(Self.post)) == [200])
        #expect(fixture.context.load.refused == 2)
    }

    @Test("the handler makes one refusal a second; HEAD gets no body, and a client that closes its close")
    func refusals() throws {
        var fixture = try ConnectionFixture()
        fixture.isOverloaded = true
        _ = fixture.receive(Self.post + Self.post)
        #expect(fixture.receive("HEAD /a HTTP/1.1\r\nHost: a\r\n\r\n").hasSuffix("\r\n\r\n"))
        #expect(fixture.handler.failures == [.overloaded])
        fixture.context.now = MonotonicTime(nanoseconds: 1_000_000_000)
        #expect(
            fixture.receive("GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").contains("Connection: close"))
        #expect(fixture.connection.phase == .finishing)
        #expect(fixture.handler.failures == [.overloaded, .overloaded])
    }

    @Test(
        "a refusal of its own is told of among the others, once a second",
        arguments: ["Origin: https://a.example", "X-Request-ID: a"])
    func ownRefusals(field: String) throws {
        var fixture = try ConnectionFixture()
        fixture.isOverloaded = true
        let get = "GET /own HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n"
        for second in [0, 1] {
            fixture.context.now = MonotonicTime(nanoseconds: Int64(second) * 1_000_000_000)
            #expect(statuses(fixture.receive(get + Self.post + get)) == [503, 503, 503])
            #expect(fixture.handler.failed?.head?.hasPath("/own") == true)
            // For all of them, and for each of the two.
            #expect(Array(fixture.handler.toldOf.dropFirst(3 * second)) == [false, true, true])
        }
        #expect(fixture.context.load.refused == 6)
    }

    @Test(
        "a deferred answer that does not come is 504 and a close; what comes too late answers nothing",
        arguments: [false, true])
    func answerTimeout(isBehindOthers: Bool) throws {
        var fixture = try ConnectionFixture()
        var kept: HTTPDeferral?
        fixture.handler.answer = { _, deferral in
            kept = deferral
            return nil
        }
        #expect(fixture.receive(Self.post + Self.post).isEmpty)
        // It has its own time, whatever becomes of answers that the client does not take.
        if isBehindOthers { fixture.connection.awaitWriting(fixture.context) }
        #expect(fixture.advance(seconds: 119).isEmpty && fixture.connection.phase == .deferred)
        let answer = fixture.advance(seconds: 1)
        #expect(statuses(answer) == [504] && answer.contains("Connection: close"))
        kept?.complete(with: HTTPResponse(status: 200))
        fixture.deliver()
        #expect(fixture.takeOutput().isEmpty)
    }
}
