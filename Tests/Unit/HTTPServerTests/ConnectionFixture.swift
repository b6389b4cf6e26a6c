@testable import HTTP1
@testable import HTTP1TestSupport
@testable import HTTPServer
@testable import HTTPServerTestSupport
@testable import System

/// A connection with a scripted handler and a clock set by the test. It collects the output, and embeds the input
/// between other bytes.
struct ConnectionFixture {
    let handler = ScriptedHandler()
    let completions: CompletionQueue
    var context: LoopContext
    var connection: Connection
    var request = HTTPRequest(receiving: [])
    var parser = RequestParser()

    /// The bytes around the input.
    private static let others = Array("GET /others HTTP/1.1\r\nHost: b\r\n\r\n".utf8)

    init(limits: HTTPLimits = HTTPLimits()) throws {
        completions = try CompletionQueue()
        context = LoopContext(
            handler: handler, limits: limits, timeouts: HTTPTimeouts(), completions: completions,
            buffers: BufferBudget(limit: limits.bufferedBytes),
            now: MonotonicTime(nanoseconds: 0))
        context.date.update(to: 784_111_777)
        connection = Connection(peer: .unix, ticket: 1 << 32, context: context)
    }

    /// Fills the limit of deferred requests.
    var isOverloaded = false {
        didSet { context.load.deferred += isOverloaded ? context.limits.inFlight : -context.limits.inFlight }
    }

    /// Feeds input and returns the resulting output.
    mutating func receive(_ input: String) -> String {
        receive(Array(input.utf8))
        return takeOutput()
    }

    mutating func receive(_ input: [UInt8]) {
        request.headers.bytes = Self.others + input + Self.others
        connection.receive(
            Self.others.count..<Self.others.count + input.count, of: &request, &parser, &context)
    }

    mutating func takeOutput() -> String { text(takeOutput()) }

    mutating func takeOutput() -> [UInt8] {
        defer { context.output = [] }
        return context.output
    }

    /// Moves the clock and returns the output caused by an expired deadline.
    mutating func advance(seconds: Int64) -> String {
        context.now = MonotonicTime(nanoseconds: context.now.nanoseconds + seconds * 1_000_000_000)
        if connection.deadline <= context.now { connection.expire(isWriting: false, &context) }
        return takeOutput()
    }
}

/// The status codes in some output.
func statuses(_ output: String) -> [Int] {
    output.split(separator: "HTTP/1.1 ").compactMap { Int($0.prefix(3)) }
}
