import Testing

@testable import HTTP1
@testable import HTTPServer
@testable import HTTPServerTestSupport
@testable import System

@Suite("Connection under overload")
struct ConnectionLoadTests {
    private static let post = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"

    @Test("Requests above the limit get 503 in order, and the connection stays usable")
    func refused() throws {
        var fixture = try ConnectionFixture()
        fixture.isOverloaded = true
        #expect(statuses(fixture.receive(Self.post + Self.post)) == [503, 503])
        #expect(fixture.handler.requests.isEmpty)
        fixture.isOverloaded = false
        #expect(statuses(fixture.receive(Self.post)) == [200])
        #expect(fixture.context.load.refused == 2)
    }

    @Test("A costly decision at the head is shed too, before it is made; its body is discarded")
    func costly() throws {
        var fixture = try ConnectionFixture()
        var decided = 0
        fixture.handler.decision = { _ in
            .costly { _ in
                decided += 1
                return .refuse(HTTPResponse(status: 307))
            }
        }
        fixture.isOverloaded = true
        #expect(statuses(fixture.receive(Self.post + Self.post)) == [503, 503])
        #expect(decided == 0 && fixture.context.load.refused == 2)
        fixture.isOverloaded = false
        #expect(statuses(fixture.receive(Self.post)) == [307])
        #expect(decided == 1 && fixture.handler.requests.isEmpty)
        fixture.isOverloaded = true
        let waiting = fixture.receive("PUT /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
        #expect(statuses(waiting) == [503] && waiting.contains("Connection: close"))
    }

    @Test("The handler creates one rejection per second; HEAD gets no body, and Connection: close is honoured")
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
        "A rejection that depends on the request counts with the others once per second",
        arguments: ["Origin: https://a.example", "X-Request-ID: a"])
    func ownRefusals(field: String) throws {
        var fixture = try ConnectionFixture()
        fixture.isOverloaded = true
        let get = "GET /own HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n"
        for second in [0, 1] {
            fixture.context.now = MonotonicTime(nanoseconds: Int64(second) * 1_000_000_000)
            #expect(statuses(fixture.receive(get + Self.post + get)) == [503, 503, 503])
            #expect(fixture.handler.failed?.head?.path.elementsEqual("/own".utf8) == true)
            // Reported with all of them once, then not for the other two.
            #expect(Array(fixture.handler.reported.dropFirst(3 * second)) == [false, true, true])
        }
        #expect(fixture.context.load.refused == 6)
    }

    @Test(
        "A deferred request that times out gets 504 and a close; a late completion sends nothing",
        arguments: [false, true])
    func responseTimeout(isBehindOthers: Bool) throws {
        var fixture = try ConnectionFixture()
        var kept: HTTPDeferral?
        fixture.handler.makeResponse = { _, deferral in
            kept = deferral
            return nil
        }
        #expect(fixture.receive(Self.post + Self.post).isEmpty)
        // The timeout does not depend on whether the client reads earlier responses.
        if isBehindOthers { fixture.connection.awaitWriting(fixture.context) }
        #expect(fixture.advance(seconds: 119).isEmpty && fixture.connection.phase == .deferred)
        let response = fixture.advance(seconds: 1)
        #expect(statuses(response) == [504] && response.contains("Connection: close"))
        kept?.complete(with: HTTPResponse(status: 200))
        fixture.deliver()
        #expect(fixture.takeOutput().isEmpty)
    }
}
