import Glibc
import Testing

@testable import HTTP1
@testable import HTTP1TestSupport
@testable import HTTPServer
@testable import HTTPServerTestSupport
@testable import System

@Suite("Connection: streamed bodies")
struct ConnectionStreamTests {
    /// Collects content; rejects it at "!", responds with all content at the end.
    private final class Recorder: HTTPResponder {
        var pieces: [[UInt8]] = []
        var isFinished = false

        func receive(_ content: ArraySlice<UInt8>) -> HTTPResponse? {
            pieces.append(Array(content))
            return content.contains(0x21) ? HTTPResponse(status: 422) : nil
        }

        func respond(to request: HTTPRequest, deferrals: HTTPDeferralSource) -> HTTPResponse? {
            isFinished = true
            return HTTPResponse(status: 201, body: Array(pieces.joined()))
        }

        func response(to failure: HTTPFailure, of request: HTTPFailedRequest) -> HTTPResponse? {
            HTTPResponse(status: failure.status)
        }
    }

    private func put(_ fields: String) -> String { "PUT / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n" }

    private func fixture(_ recorder: Recorder, limit: Int = 1 << 40) throws -> ConnectionFixture {
        let fixture = try ConnectionFixture()
        fixture.handler.decision = { _ in .stream(limit: limit, recorder) }
        return fixture
    }

    @Test(
        "Splitting the input anywhere delivers the same content",
        arguments: ["Content-Length: 11\r\n", "Transfer-Encoding: chunked\r\n"], [1, 2, 3, 7, 200])
    func pieces(_ framing: String, _ size: Int) throws {
        let recorder = Recorder()
        var fixture = try fixture(recorder)
        let body = framing.hasPrefix("C") ? "hello world" : "6;x=y\r\nhello \r\n5\r\nworld\r\n0\r\nA: b\r\n\r\n"
        let input = Array((put(framing) + body).utf8)
        var output = ""
        for start in stride(from: 0, to: input.count, by: size) {
            output += fixture.receive(text(input[start..<min(start + size, input.count)]))
        }
        #expect(text(Array(recorder.pieces.joined())) == "hello world")
        #expect(recorder.pieces.allSatisfy { !$0.isEmpty })
        #expect(recorder.isFinished)
        #expect(statuses(output) == [201])
        #expect(fixture.connection.isIdle)
        #expect(fixture.handler.requests.isEmpty)
    }

    @Test("Only the head is kept in memory while a body streams")
    func memory() throws {
        let recorder = Recorder()
        var fixture = try fixture(recorder)
        let head = put("Content-Length: 1000000\r\n")
        #expect(fixture.receive(head + "x").isEmpty)
        for _ in 0..<50 { #expect(fixture.receive(String(repeating: "x", count: 10_000)).isEmpty) }
        #expect(fixture.connection.partial?.request.headers.bytes.count == head.utf8.count)
        #expect(recorder.pieces.joined().count == 500_001)
    }

    @Test("An empty body finishes immediately, and the next request follows")
    func empty() throws {
        let recorder = Recorder()
        var fixture = try fixture(recorder)
        #expect(statuses(fixture.receive(put("Content-Length: 0\r\n") + put(""))) == [201, 201])
        #expect(recorder.pieces.isEmpty)
    }

    @Test(
        "A body above the limit gets 413, immediately if its length is known",
        arguments: ["Content-Length: 6\r\n", "Transfer-Encoding: chunked\r\n"])
    func limit(_ framing: String) throws {
        let recorder = Recorder()
        var fixture = try fixture(recorder, limit: 5)
        #expect(statuses(fixture.receive(put(framing) + "6\r\nabcdef")) == [413])
        #expect(recorder.pieces.isEmpty)
        #expect(fixture.connection.responder == nil)
    }

    @Test("100 (Continue) is sent for a streamed body")
    func interim() throws {
        var fixture = try fixture(Recorder())
        let output = fixture.receive(put("Expect: 100-continue\r\nContent-Length: 2\r\n"))
        #expect(output == "HTTP/1.1 100 Continue\r\n\r\n")
        #expect(statuses(fixture.receive("hi")) == [201])
    }

    @Test("A response before the end of the body closes the connection")
    func refusal() throws {
        let recorder = Recorder()
        var fixture = try fixture(recorder)
        #expect(statuses(fixture.receive(put("Content-Length: 9\r\n") + "abc!")) == [422])
        #expect(fixture.connection.phase == .finishing)
        #expect(fixture.connection.responder == nil)
        #expect(!recorder.isFinished)
        // The client is still sending. Closing would send RST, which can discard the response in flight.
        fixture.connection.finishedWriting(fixture.context)
        #expect(fixture.connection.phase == .lingering)
    }

    @Test("The timeout restarts with every piece")
    func slow() throws {
        let recorder = Recorder()
        var fixture = try fixture(recorder)
        #expect(fixture.receive(put("Content-Length: 9\r\n") + "a").isEmpty)
        for _ in 0..<5 {
            #expect(fixture.advance(seconds: 29).isEmpty)
            #expect(fixture.receive("a").isEmpty)
        }
        #expect(statuses(fixture.advance(seconds: 30)) == [408])
        #expect(fixture.connection.responder == nil)
        #expect(!recorder.isFinished)
    }

    @Test("End of input within the body releases the receiver")
    func truncated() throws {
        let recorder = Recorder()
        var fixture = try fixture(recorder)
        #expect(fixture.receive(put("Content-Length: 9\r\n") + "abc").isEmpty)
        fixture.connection.receiveEnd(&fixture.context)
        #expect(statuses(fixture.takeOutput()) == [400])
        #expect(fixture.connection.responder == nil)
        #expect(!recorder.isFinished)
    }

    @Test("Nothing is parsed while a file is being sent")
    func fileFirst() throws {
        var fixture = try ConnectionFixture()
        let file = try OpenFile(owning: unsafe open("/proc/self/exe", O_RDONLY | O_CLOEXEC))
        fixture.handler.makeResponse = { _, _ in
            var response = HTTPResponse(status: 200)
            response.file = HTTPFile(file, range: 2..<7)
            return response
        }
        let output = fixture.receive("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(statuses(output) == [200])
        #expect(output.contains("\r\nContent-Length: 5\r\n"))
        #expect(output.hasSuffix("\r\n\r\n"))
        #expect(fixture.connection.hasUnparsed)
        #expect(!fixture.connection.isIdle)
        fixture.connection.transfer = nil
        fixture.connection.resume(&fixture.context)
        #expect(statuses(fixture.takeOutput()) == [200])
        #expect(fixture.handler.requests.count == 2)
    }
}
