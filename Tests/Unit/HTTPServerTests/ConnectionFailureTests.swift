import Testing

@testable import HTTP1
@testable import HTTP1TestSupport
@testable import HTTPServer
@testable import HTTPServerTestSupport
@testable import System

@Suite("Connection: details of a failed request")
struct ConnectionFailureTests {
    private static let post = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
    private static let peer = PeerAddress.ipv4(0xC000_0201)

    private func fixture() throws -> ConnectionFixture {
        var fixture = try ConnectionFixture()
        fixture.connection = Connection(peer: Self.peer, ticket: 1 << 32, context: fixture.context)
        return fixture
    }

    @Test(
        "The request line is reported once it is parsed, wherever the input was split",
        arguments: [
            ("POST /a?b HTTP/1.1\r\nB ad: x\r\n\r\n", "POST", "/a"), ("POST /a HTTP/1.1 \r\n\r\n", nil, nil),
            ("BREW /a HTTP/1.1\r\n\r\n", "BREW", "/a"), ("POST /a HTTP/2.0\r\n\r\n", nil, nil),
            ("\r\nPOST http://a HTTP/1.1\r\n\r\n", "POST", nil),
        ] as [(String, String?, String?)])
    func requestLine(input: String, method: String?, path: String?) throws {
        for size in [1, 7, input.utf8.count] {
            var fixture = try fixture()
            _ = fixture.receive(Self.post)
            var rest = Array(input.utf8)[...]
            while !rest.isEmpty {
                fixture.receive(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            let failed = try #require(fixture.handler.failed)
            #expect(failed.peer == Self.peer && failed.head == nil)
            #expect(failed.method?.description == method && failed.path.map { text($0) } == path)
        }
    }

    @Test("A truncated body is reported with the whole head")
    func head() throws {
        var fixture = try fixture()
        #expect(fixture.receive(String(Self.post.dropLast())).isEmpty)
        fixture.connection.receiveEnd(&fixture.context)
        #expect(statuses(fixture.takeOutput()) == [400])
        let failed = try #require(fixture.handler.failed)
        #expect(failed.peer == Self.peer && failed.method == .post && failed.path.map { text($0) } == "/a")
        #expect(failed.head?.headers.count == 2)
    }

    @Test("A shed request is reported without details, a deferred one with the peer")
    func others() throws {
        var fixture = try fixture()
        fixture.isOverloaded = true
        _ = fixture.receive(Self.post)
        #expect(fixture.handler.failed?.peer == nil && fixture.handler.failed?.method == nil)
        fixture.isOverloaded = false
        var kept: [HTTPDeferral] = []
        fixture.handler.makeResponse = { _, deferral in
            kept.append(deferral)
            return nil
        }
        _ = fixture.receive(Self.post)
        #expect(statuses(fixture.advance(seconds: 120)) == [504])
        #expect(fixture.handler.failed?.peer == Self.peer && fixture.handler.failed?.method == nil)
        kept.removeAll()
    }

    @Test("The responder writes the response to a deferred request that is late or dropped", arguments: [504, 500])
    func deferred(status: Int) throws {
        var fixture = try fixture()
        var kept: [HTTPDeferral] = []
        fixture.handler.failing = { HTTPResponse(status: $0.status, body: Array("known".utf8)) }
        fixture.handler.makeResponse = { _, deferral in
            kept.append(deferral)
            return nil
        }
        #expect(fixture.receive(Self.post + Self.post).isEmpty)
        if status == 500 {
            kept.removeAll()
            fixture.deliver()
        }
        let response = status == 500 ? fixture.takeOutput() : fixture.advance(seconds: 120)
        #expect(statuses(response) == [status] && response.hasSuffix("known"))
        #expect(response.contains("Connection: close") == (status == 504))
        #expect(fixture.handler.failures.isEmpty && fixture.connection.responder == nil)
        kept.removeAll()
    }

    @Test("A response in progress is awaited, and does not affect the next request")
    func answerOnItsWay() throws {
        var fixture = try fixture()
        var kept: [HTTPDeferral] = []
        fixture.handler.failing = { _ in nil }
        fixture.handler.makeResponse = { _, deferral in
            kept.append(deferral)
            return nil
        }
        _ = fixture.receive(Self.post)
        #expect(fixture.advance(seconds: 120).isEmpty && fixture.connection.phase == .deferred)
        kept.first?.complete(with: HTTPResponse(status: 200))
        kept.removeAll()
        fixture.deliver()
        #expect(statuses(fixture.takeOutput()) == [200])
        // Completed immediately, then dropped immediately.
        fixture.handler.failing = { _ in HTTPResponse(status: 599) }
        fixture.handler.makeResponse = { _, deferral in
            deferral.complete(with: HTTPResponse(status: 201))
            return nil
        }
        _ = fixture.receive(Self.post)
        fixture.deliver()
        #expect(statuses(fixture.takeOutput()) == [201])
        fixture.handler.failing = nil
        fixture.handler.makeResponse = { _, _ in nil }
        #expect(fixture.receive(Self.post).isEmpty)
        fixture.deliver()
        #expect(statuses(fixture.takeOutput()) == [500])
        #expect(fixture.handler.failures == [.abandoned] && fixture.handler.failed?.peer == Self.peer)
    }
}
