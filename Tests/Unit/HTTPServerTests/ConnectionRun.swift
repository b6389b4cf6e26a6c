@testable import HTTP1
@testable import HTTP1TestSupport
@testable import HTTPServer
@testable import HTTPServerTestSupport

/// One connection that gets its input in pieces and is driven the way an event loop drives it.
struct ConnectionRun: Equatable {
    /// A response: its status, and whether it announces the end of the connection.
    struct Response: Equatable {
        let status: Int
        let closes: Bool
    }

    private let asksHEAD: Bool
    private(set) var output: [UInt8] = []
    private(set) var requests: [String] = []
    private(set) var failures: [HTTPFailure] = []
    /// Whether a request or failure was handled after a failure or after a response that closes.
    private(set) var handledAfterEnd = false

    /// What the handler decides for heads.
    enum BodyHandling: CaseIterable { case reads, refuses, streams }

    init(_ input: [UInt8], pieces: [Int] = [], bodyHandling: BodyHandling = .reads, limits: HTTPLimits = HTTPLimits())
        throws
    {
        asksHEAD = text(input).contains("HEAD ")
        var fixture = try ConnectionFixture(limits: limits)
        switch bodyHandling {
        case .reads: break
        case .refuses: fixture.handler.decision = { _ in .refuse(HTTPResponse(status: 404)) }
        case .streams:
            let handler = fixture.handler
            fixture.handler.decision = { [unowned handler] _ in .stream(limit: 64, CountingReceiver(handler)) }
        }
        var taken = 0
        for piece in pieces + [input.count] where taken < input.count {
            let next = Array(input[taken..<min(input.count, taken + piece)])
            taken += next.count
            fixture.receive(next)
            settle(&fixture)
        }
        fixture.connection.receiveEnd(&fixture.context)
        settle(&fixture)
        requests = fixture.handler.requests.map { text($0.path) + "|" + text($0.body) }
        failures = fixture.handler.failures
    }

    private mutating func settle(_ fixture: inout ConnectionFixture) {
        flush(&fixture)
        while fixture.connection.hasUnparsed, fixture.connection.phase == .reading {
            fixture.connection.resume(&fixture.context)
            flush(&fixture)
        }
        if fixture.connection.phase == .finishing { fixture.connection.finishedWriting(fixture.context) }
    }

    private mutating func flush(_ fixture: inout ConnectionFixture) {
        let responses: [UInt8] = fixture.takeOutput()
        if isEnded, !responses.isEmpty { handledAfterEnd = true }
        output += responses
        isEnded = fixture.connection.phase != .reading
    }

    private var isEnded = false

    /// The responses in `output`; nil unless it consists of complete, well-framed responses.
    var responses: [Response]? {
        var responses: [Response] = []
        var rest = output[...]
        while !rest.isEmpty {
            guard let head = Self.head(&rest), let status = Int(text(head[0].dropFirst(9).prefix(3))) else {
                return nil
            }
            guard status >= 200 else { continue }
            let length = head.first { $0.starts(with: "Content-Length: ".utf8) }.flatMap { Int(text($0.dropFirst(16))) }
            guard let length, length <= rest.count, head[1].starts(with: "Date: ".utf8) else { return nil }
            rest = rest.dropFirst(length)
            responses.append(Response(status: status, closes: head.contains(Array("Connection: close".utf8))))
        }
        return responses
    }

    /// The same for output without an end.
    var withoutClose: ConnectionRun {
        var run = self
        run.output.replace("Connection: close\r\n".utf8, with: [])
        return run
    }

    /// The lines of the head at the start of `bytes`, which is removed.
    private static func head(_ bytes: inout ArraySlice<UInt8>) -> [[UInt8]]? {
        var lines: [[UInt8]] = []
        while let end = bytes.firstIndex(of: 10), end > bytes.startIndex, bytes[end - 1] == 13 {
            let line = Array(bytes[..<(end - 1)])
            bytes = bytes[(end + 1)...]
            if line.isEmpty { return lines.first?.starts(with: "HTTP/1.1 ".utf8) == true ? lines : nil }
            lines.append(line)
        }
        return nil
    }

    /// The violated property of this run; nil if all hold.
    var fault: String? {
        if failures.count > 1 { return "\(failures.count) failures on one connection" }
        if handledAfterEnd { return "a request or failure after the last response" }
        // The response to HEAD has a length but no body, so it would be misread here.
        if asksHEAD { return nil }
        guard let responses else { return "output that is not a sequence of responses" }
        if responses.dropLast().contains(where: \.closes) { return "a response after one that closes" }
        if !failures.isEmpty, responses.last?.closes != true { return "a failure without Connection: close" }
        return nil
    }
}

/// Responds with the number of bytes it received.
private final class CountingReceiver: HTTPResponder {
    private let handler: ScriptedHandler
    private var count = 0

    init(_ handler: ScriptedHandler) { self.handler = handler }

    func receive(_ content: ArraySlice<UInt8>) -> HTTPResponse? {
        count += content.count
        return nil
    }

    func respond(to request: HTTPRequest, deferrals: HTTPDeferralSource) -> HTTPResponse? {
        HTTPResponse(status: 200, body: Array("\(count)".utf8))
    }

    func response(to failure: HTTPFailure, of request: HTTPFailedRequest) -> HTTPResponse? {
        handler.response(to: failure, of: request)
    }
}
