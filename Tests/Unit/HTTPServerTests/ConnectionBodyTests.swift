import Testing

@testable import HTTP1
@testable import HTTPServer
@testable import HTTPServerTestSupport

@Suite("Connection: bodies, expectations and rejections")
struct ConnectionBodyTests {
    private func post(_ fields: String) -> String { "POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n" }

    @Test("100 (Continue) is sent only if the body will be read and has not arrived")
    func interim() throws {
        var fixture = try ConnectionFixture()
        #expect(
            fixture.receive(post("Expect: 100-Continue\r\nContent-Length: 2\r\n")) == "HTTP/1.1 100 Continue\r\n\r\n")
        #expect(statuses(fixture.receive("hi")) == [200])
        var early = try ConnectionFixture()
        #expect(statuses(early.receive(post("Expect: 100-continue\r\nContent-Length: 2\r\n") + "h")).isEmpty)
        var none = try ConnectionFixture()
        #expect(statuses(none.receive(post("Expect: 100-continue\r\n"))) == [200])
        var old = try ConnectionFixture()
        #expect(old.receive("POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n").isEmpty)
    }

    @Test("An unknown expectation gets 417")
    func expectation() throws {
        var fixture = try ConnectionFixture()
        #expect(statuses(fixture.receive(post("Expect: 200-ok\r\n"))) == [417])
    }

    @Test(
        "A body above the limit gets 413 before any of it is read, by the handler's or the server's limit",
        arguments: [(10, 11), (1 << 20, 16_385)])
    func tooLarge(_ limit: Int, _ length: Int) throws {
        var fixture = try ConnectionFixture()
        fixture.handler.decision = { _ in .read(limit: limit) }
        #expect(statuses(fixture.receive(post("Expect: 100-continue\r\nContent-Length: \(length)\r\n"))) == [413])
        #expect(fixture.handler.heads.count == 1)
        #expect(fixture.connection.phase == .finishing)
    }

    @Test(
        "A rejection drains a small body and keeps the connection open",
        arguments: [("Content-Length: 3\r\n", "abc"), ("Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n0\r\n\r\n")])
    func refusalDrains(_ framing: String, _ body: String) throws {
        var fixture = try ConnectionFixture()
        fixture.handler.decision = { _ in .refuse(HTTPResponse(status: 401)) }
        #expect(statuses(fixture.receive(post(framing))) == [401])
        #expect(fixture.receive(body).isEmpty)
        #expect(fixture.connection.isIdle)
        #expect(statuses(fixture.receive(post(framing) + body + post(framing) + body)) == [401, 401])
        #expect(fixture.handler.requests.isEmpty)
    }

    @Test(
        "A rejection closes the connection if the body is large or 100 (Continue) was expected",
        arguments: [
            "Content-Length: 16385\r\n", "Expect: 100-continue\r\nContent-Length: 1\r\n",
            "Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n",
        ])
    func refusalCloses(_ fields: String) throws {
        var fixture = try ConnectionFixture()
        fixture.handler.decision = { _ in .refuse(HTTPResponse(status: 404)) }
        let output = fixture.receive(post(fields))
        #expect(statuses(output) == [404])
        #expect(output.contains("Connection: close"))
        fixture.connection.finishedWriting(fixture.context)
        #expect(fixture.connection.phase == .lingering)
    }

    @Test(
        "A rejection that closes does not linger if the body has arrived",
        arguments: [
            ("Connection: close\r\nContent-Length: 2\r\n", "ab", "", Connection.Phase.closed),
            ("Connection: close\r\nTransfer-Encoding: chunked\r\n", "2\r\nab\r\n0\r\n\r\n", "", .closed),
            ("Connection: close\r\nTransfer-Encoding: chunked\r\n", "2\r\nab\r\n0\r\n\r\n", "GET", .lingering),
            ("Connection: close\r\nTransfer-Encoding: chunked\r\n", "2\r\nab\r\n", "", .lingering),
            ("Connection: close\r\n", "", "", .closed),
        ])
    func refusalOfWholeBody(_ fields: String, _ body: String, _ next: String, _ phase: Connection.Phase) throws {
        var fixture = try ConnectionFixture()
        fixture.handler.decision = { _ in .refuse(HTTPResponse(status: 404)) }
        #expect(statuses(fixture.receive(post(fields) + body + next)) == [404])
        #expect(fixture.connection.phase == .finishing)
        fixture.connection.finishedWriting(fixture.context)
        #expect(fixture.connection.phase == phase)
    }

    @Test(
        "Bytes that arrive after the response are counted, whether the connection stays open or closes",
        arguments: [
            (["Content-Length: 3\r\n", "abc"], 3), (["Content-Length: 3\r\n", "a", "bc"], 3),
            (["Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n0\r\n\r\n"], 3),
            (["Connection: close\r\nContent-Length: 3\r\n", "abc"], 3),
            (["Content-Length: 20000\r\n", "abc", "de"], 5), (["Content-Length: 0\r\n"], 0), ([""], 0),
        ])
    func discarded(_ parts: [String], _ count: Int) throws {
        for isSplit in [true, false] {
            var fixture = try ConnectionFixture()
            fixture.handler.decision = { _ in .refuse(HTTPResponse(status: 307)) }
            let request = [post(parts[0])] + parts.dropFirst()
            for part in isSplit ? request : [request.joined()] {
                fixture.receive(Array(part.utf8))
                fixture.connection.finishedWriting(fixture.context)
            }
            #expect(fixture.context.discarded == count, "\(isSplit)")
        }
    }

    @Test(
        "An invalid or too large body after a rejection gets no second response and ends the connection",
        arguments: ["z", "4001\r\n", "1\r\nabc"])
    func refusedAndBroken(_ body: String) throws {
        var fixture = try ConnectionFixture()
        fixture.handler.decision = { _ in .refuse(HTTPResponse(status: 404)) }
        let output = fixture.receive(post("Transfer-Encoding: chunked\r\n") + body + post(""))
        #expect(statuses(output) == [404])
        #expect(output.contains("Connection: close"), "the body has arrived, so the response can announce the close")
        #expect(fixture.connection.phase == .finishing)
        var later = try ConnectionFixture()
        later.handler.decision = fixture.handler.decision
        #expect(statuses(later.receive(post("Transfer-Encoding: chunked\r\n"))) == [404])
        #expect(later.receive(body + post("")).isEmpty)
        #expect(later.connection.phase == .finishing)
    }

    @Test("A rejected request with a truncated body gets no second response")
    func refusedAndTruncated() throws {
        var fixture = try ConnectionFixture()
        fixture.handler.decision = { _ in .refuse(HTTPResponse(status: 404)) }
        #expect(statuses(fixture.receive(post("Content-Length: 3\r\n") + "a")) == [404])
        fixture.connection.receiveEnd(&fixture.context)
        #expect(fixture.takeOutput().isEmpty)
        #expect(fixture.connection.phase == .finishing)
    }

    @Test("An invalid final status is sent as 500", arguments: [-1, 0, 101, 600])
    func impossibleStatus(_ status: Int) throws {
        var fixture = try ConnectionFixture()
        fixture.handler.makeResponse = { _, _ in HTTPResponse(status: status) }
        #expect(fixture.receive(post("")).hasPrefix("HTTP/1.1 500 Internal Server Error\r\n"))
    }

    @Test("A deferred request delays the next; it completes once, and dropping it sends 500")
    func deferral() throws {
        var fixture = try ConnectionFixture()
        let kept = Kept()
        fixture.handler.makeResponse = { _, deferral in
            kept.deferral = deferral
            return nil
        }
        #expect(fixture.receive(post("") + post("")).isEmpty)
        #expect(fixture.connection.phase == .deferred)
        kept.deferral?.complete(with: HTTPResponse(status: 202))
        kept.deferral?.complete(with: HTTPResponse(status: 500))
        kept.deferral = nil
        fixture.deliver()
        #expect(statuses(fixture.takeOutput()) == [202])
        fixture.connection.resume(&fixture.context)
        #expect(fixture.handler.requests.count == 2)
        kept.deferral = nil
        fixture.deliver()
        #expect(statuses(fixture.takeOutput()) == [500])
        fixture.handler.makeResponse = { _, _ in nil }
        #expect(fixture.receive(post("")).isEmpty)
        fixture.deliver()
        #expect(statuses(fixture.takeOutput()) == [500])
    }

    @Test(
        "A deferred response that closes lingers if input is left",
        arguments: [("", Connection.Phase.closed), ("GET", .lingering)])
    func deferredClose(_ next: String, _ phase: Connection.Phase) throws {
        var fixture = try ConnectionFixture()
        let kept = Kept()
        fixture.handler.makeResponse = { _, deferral in
            kept.deferral = deferral
            return nil
        }
        #expect(fixture.receive(post("Connection: close\r\n") + next).isEmpty)
        kept.deferral?.complete(with: HTTPResponse(status: 202))
        fixture.deliver()
        #expect(statuses(fixture.takeOutput()) == [202])
        fixture.connection.finishedWriting(fixture.context)
        #expect(fixture.connection.phase == phase)
    }

    private final class Kept {
        var deferral: HTTPDeferral?
    }
}

extension ConnectionFixture {
    /// Delivers the queued completions.
    mutating func deliver() {
        for letter in completions.collect() { connection.complete(with: letter.response, &context) }
    }
}
