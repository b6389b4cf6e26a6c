import Glibc
import SocketTestSupport
import Testing

@testable import HTTP1
@testable import HTTPClient
@testable import HTTPServer
@testable import System

@Suite("HTTP fetches over sockets")
struct HTTPFetchTests {
    private static func fetch(
        _ steps: [FakeEndpoint.Step], limit: Int = 1000, within time: Duration = .seconds(10),
        _ change: (inout FetchRequest) -> Void = { _ in }
    ) throws -> (FetchResponse, FakeEndpoint.Request) {
        let endpoint = try FakeEndpoint { _ in steps }
        let url = try #require(FetchURL("http://127.0.0.1:\(endpoint.port)/a/b?c"))
        var request = FetchRequest(.get, url)
        request.limit = limit
        change(&request)
        let response = try HTTPFetch.response(
            to: request, fromOneOf: [.ipv4(0x7F00_0001)], by: MonotonicTime.after(time))
        return (response, try #require(endpoint.requests.first))
    }

    @Test("Sends a plain request that accepts one response only")
    func request() throws {
        let (_, get) = try Self.fetch([.response(200)]) { _ = $0.add("x-token", Array("t".utf8)) }
        #expect(get.method == "GET" && get.target == "/a/b?c" && get.headers["connection"] == "close")
        #expect(get.headers["host"]?.hasPrefix("127.0.0.1:") == true && get.headers["x-token"] == "t")
        #expect(get.headers["content-length"] == nil && get.headers["accept-encoding"] == nil)
        let (_, post) = try Self.fetch([.response(200)]) { $0.body = Array("a=b".utf8) }
        #expect(post.body == "a=b" && post.headers["content-length"] == "3")
    }

    @Test(
        "A response without content ends with its head, and its fields are returned",
        arguments: [(FetchRequest.Method.head, 200), (.head, 404), (.delete, 204), (.get, 304)])
    func noContent(method: FetchRequest.Method, status: Int) throws {
        // The connection stays open, so waiting for content would time out.
        let head = "HTTP/1.1 \(status) X\r\nContent-Length: 5\r\nETag: \"a\"\r\nVary: b\r\nVARY: c\r\n\r\n"
        let endpoint = try FakeEndpoint { _ in [.send(head), .hang] }
        var request = FetchRequest(method, try #require(FetchURL("http://127.0.0.1:\(endpoint.port)/")))
        #expect(
            request.add(name: "x-amz-meta-a", "b") && !request.add(name: "a b", "c") && !request.add(name: "a", "b\n"))
        let response = try HTTPFetch.response(
            to: request, fromOneOf: [.ipv4(0x7F00_0001)], by: MonotonicTime.after(.seconds(10)))
        #expect(response.status == status && response.body.isEmpty)
        #expect(response.headers == ["content-length": "5", "etag": "\"a\"", "vary": "b, c"])
        let received = try #require(endpoint.requests.first)
        #expect(received.method == method.rawValue && received.headers["x-amz-meta-a"] == "b")
        #expect(received.headers["content-length"] == nil)
    }

    @Test("Header values with line breaks are not sent")
    func injection() throws {
        var request = FetchRequest(.get, try #require(FetchURL("http://127.0.0.1/")))
        for value in ["a\r\nX: y", "a\nb", "a\0", "\u{7F}"] {
            let isAdded = request.add("x-token", Array(value.utf8))
            #expect(!isAdded)
        }
        #expect(!String(decoding: request.bytes, as: UTF8.self).contains("x-token"))
    }

    private static let body = "0123456789"
    static let valid: [(String, [FakeEndpoint.Step], Int, String)] = [
        ("with a length", [.response(200, body)], 200, body),
        ("with an error's status", [.response(404, body)], 404, body),
        (
            "a redirection, which is not followed", [.response(302, "", fields: ["Location: http://127.0.0.1:1/"])],
            302,
            ""
        ),
        ("until the end", [.send("HTTP/1.1 200 OK\r\n\r\n" + body)], 200, body),
        ("of HTTP/1.0", [.send("HTTP/1.0 200 OK\r\nServer: x\r\n\r\n" + body)], 200, body),
        ("without a reason", [.send("HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n")], 200, ""),
        (
            "in chunks",
            [
                .send(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4;x=y\r\n0123\r\n6\r\n456789\r\n0\r\nA: b\r\n\r\n"
                )
            ],
            200, body
        ),
        ("half closed", [.response(200, body), .finish, .hang], 200, body),
        ("with more than its length", [.response(200, body), .send("more")], 200, body),
        (
            "byte by byte", [.dribble("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n" + body, milliseconds: 1)], 200,
            body
        ),
        (
            "byte by byte in chunks",
            [
                .dribble(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n\(body)\r\n0\r\n\r\n", milliseconds: 1)
            ],
            200, body
        ),
    ]

    @Test("Accepts valid responses", arguments: valid.indices)
    func accepted(index: Int) throws {
        let (name, steps, status, body) = Self.valid[index]
        let response = try Self.fetch(steps).0
        #expect(response.status == status && response.body == Array(body.utf8), "\(name)")
    }

    private static let ok = "HTTP/1.1 200 OK\r\n"
    static let failures: [(String, [FakeEndpoint.Step], FetchFailure)] = [
        ("nothing", [], .cutShort), ("silence", [.hang], .timedOut), ("cut in the head", [.send(ok)], .cutShort),
        ("cut in the body", [.send(ok + "Content-Length: 11\r\n\r\n" + body)], .cutShort),
        ("cut in a chunk", [.send(ok + "Transfer-Encoding: chunked\r\n\r\na\r\n012")], .cutShort),
        ("cut before the last chunk", [.send(ok + "Transfer-Encoding: chunked\r\n\r\n1\r\n0\r\n")], .cutShort),
        ("no end", [.send(ok + "Content-Length: 11\r\n\r\n" + body), .hang], .timedOut),
        (
            "a byte now and then", [.dribble(ok + "A: " + String(repeating: "x", count: 900), milliseconds: 20)],
            .timedOut
        ),
        ("a long body", [.send(ok + "Content-Length: 1001\r\n\r\n")], .tooLarge(1000)),
        ("a long body without a length", [.send(ok + "\r\n" + String(repeating: "x", count: 1001))], .tooLarge(1000)),
        ("a long chunk", [.send(ok + "Transfer-Encoding: chunked\r\n\r\n3e9\r\n")], .tooLarge(1000)),
        ("a huge body", [.send(ok + "Content-Length: 99999999999999999999\r\n\r\n")], .malformed),
        ("long headers", [.send(ok), .send("A: " + String(repeating: "x", count: 20_000))], .malformed),
        ("many headers", [.send(ok + String(repeating: "A: b\r\n", count: 101) + "\r\n")], .malformed),
        ("a negative length", [.send(ok + "Content-Length: -1\r\n\r\n")], .malformed),
        ("two lengths", [.send(ok + "Content-Length: 1\r\nContent-Length: 1\r\n\r\n0")], .malformed),
        ("length and chunks", [.send(ok + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0")], .malformed),
        ("another coding", [.send(ok + "Transfer-Encoding: gzip\r\n\r\n0")], .malformed),
        ("an invalid chunk", [.send(ok + "Transfer-Encoding: chunked\r\n\r\nzz\r\n")], .malformed),
        ("no HTTP", [.send("SSH-2.0-OpenSSH_9.2\r\n")], .malformed),
        ("HTTP/2", [.send("HTTP/2 200 OK\r\n\r\n")], .malformed),
        ("missing status", [.send("HTTP/1.1 OK\r\n\r\n")], .malformed),
        ("an interim response", [.send("HTTP/1.1 100 Continue\r\n\r\n"), .response(200)], .malformed),
        ("a folded header", [.send(ok + "A: b\r\n c\r\n\r\n")], .malformed),
        ("bare line feeds", [.send("HTTP/1.1 200 OK\nContent-Length: 0\n\n")], .malformed),
    ]

    @Test("Rejects invalid and late responses", arguments: failures.indices)
    func refused(index: Int) throws {
        let (name, steps, expected) = Self.failures[index]
        let start = ContinuousClock.now
        let failure = #expect(throws: FetchFailure.self) {
            _ = try Self.fetch(steps, within: expected == .timedOut ? .milliseconds(300) : .seconds(10))
        }
        #expect(failure == expected, "\(name)")
        #expect(ContinuousClock.now - start < .seconds(8), "\(name)")
    }

    @Test("If a connection is refused the next address is tried, and the last failure is reported")
    func refusedConnection() throws {
        let endpoint = try FakeEndpoint { _ in [.response(200)] }
        let request = FetchRequest(.get, try #require(FetchURL("http://127.0.0.1:\(endpoint.port)/")))
        let response = try HTTPFetch.response(
            to: request, fromOneOf: [.ipv6(0, 1), .ipv4(0x7F00_0001)], by: MonotonicTime.after(.seconds(10)))
        #expect(response.status == 200)
        endpoint.stop()
        let failure = #expect(throws: FetchFailure.self) {
            _ = try HTTPFetch.response(
                to: request, fromOneOf: [.ipv4(0x7F00_0002)], by: MonotonicTime.after(.seconds(10)))
        }
        #expect(failure?.isAbsence == true)
    }

    @Test("An address that never replies leaves time for the next one")
    func swallowed() throws {
        let endpoint = try FakeEndpoint { _ in [.response(200)] }
        let request = FetchRequest(.get, try #require(FetchURL("http://127.0.0.1:\(endpoint.port)/")))
        // The backlog is full and never accepted, so the kernel drops further connections.
        let full = try Listener(.tcp(host: "127.0.0.3", port: endpoint.port), loops: 1, backlog: 1)
        for _ in 0..<4 {
            #expect(throws: FetchFailure.timedOut) {
                _ = try HTTPFetch.response(
                    to: request, fromOneOf: [.ipv4(0x7F00_0003)], by: MonotonicTime.after(.milliseconds(100)))
            }
        }
        let response = try HTTPFetch.response(
            to: request, fromOneOf: [.ipv4(0x7F00_0003), .ipv4(0x7F00_0001)], by: MonotonicTime.after(.seconds(4)))
        #expect(response.status == 200)
        withExtendedLifetime(full) {}
    }

    @Test("Sends a request over a Unix socket, and reports a missing or silent server")
    func unixSocket() throws {
        let path = "/tmp/http-fetch-\(getpid()).sock"
        defer { unsafe unlink(path) }
        let request = FetchRequest(.get, try #require(FetchURL("http://localhost/healthz")))
        let fetch = { (time: Duration) in
            try HTTPFetch.response(to: request, overSocketAt: path, by: MonotonicTime.after(time))
        }
        #expect(throws: FetchFailure.unreachable("No such file or directory")) { _ = try fetch(.seconds(10)) }
        let listener = try UnixListener(path: path)
        #expect(throws: FetchFailure.timedOut) { _ = try fetch(.milliseconds(50)) }
        _ = try listener.accepted()
        unsafe unlink(path)
        let server = HTTPServer(
            configuration: HTTPServerConfiguration(listen: [.unix(path: path, mode: 0o600)], loops: 1)
        ) { _ in OKHandler() }
        try server.start()
        defer {
            server.shutdown()
            server.wait()
        }
        let response = try fetch(.seconds(10))
        #expect(response.status == 200 && response.body == Array("ok".utf8))
    }

    private struct OKHandler: HTTPHandler {
        func body(for head: HTTPRequest) -> HTTPBodyDecision {
            .refuse(HTTPResponse(status: 200, body: Array("ok".utf8)))
        }
        func response(to failure: HTTPFailure, of request: HTTPFailedRequest) -> HTTPResponse {
            HTTPResponse(status: 500)
        }
    }

    @Test("Names are resolved to distinct addresses, and unknown names are reported")
    func resolution() throws {
        let deadline = MonotonicTime.after(.seconds(10))
        let found = try HostResolver.system.addresses(of: .name("localhost"), by: deadline)
        #expect(found.contains(.ipv4(0x7F00_0001)) || found.contains(.ipv6(0, 1)))
        #expect(Set(found).count == found.count)
        #expect(throws: FetchFailure.timedOut) {
            _ = try HostResolver.system.addresses(of: .name("localhost"), by: MonotonicTime.after(.zero))
        }
    }

    @Test(
        "Addresses are converted to bytes and back", arguments: ["127.0.0.1", "169.254.170.23", "::1", "fd00:ec2::23"])
    func octets(text: String) throws {
        let bytes = Array(text.utf8)
        let literal = PeerAddress(literal: bytes.span)
        let address = try #require(literal)
        let groups = address.octets
        #expect(groups.count == (text.contains(":") ? 16 : 4))
        #expect(PeerAddress.addresses(of: text) == [address])
    }
}
