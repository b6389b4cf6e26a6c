import HTTP1
import System
import TLS

/// One connection's state: bytes and clock readings go in, answers (in the context's output) and a phase come out. It
/// knows no socket.
struct Connection {
    enum Phase: UInt8, Sendable {
        /// Takes requests.
        case reading
        /// Waits for a deferred answer; nothing is read or parsed meanwhile.
        case deferred
        /// The last answer is in the output: send it, then call `finishedWriting`.
        case finishing
        /// The last answer is sent and writing shut down; what still comes is thrown away, within bounds.
        case lingering
        case closed
    }

    /// How far the request at hand has come; each stage has its own total time.
    enum Stage: UInt8 { case idle, head, body }

    // The small fields stand together, behind the address, which leaves room: idle connections are many.
    let peer: PeerAddress
    var phase = Phase.reading
    var stage = Stage.idle
    /// Bytes of `partial` may hold a whole request: parsing stopped for another reason than their end.
    var hasUnparsed = false
    /// A closing answer leaves input that the client may still be sending.
    var mustLinger = false
    var hasServed = false
    /// How the answer to come is to be written.
    var form = HTTPResponse.Form()
    /// What came while lingering.
    var lingerBytes: UInt32 = 0
    /// Names this connection to its deferrals; never 0.
    let ticket: UInt64
    /// Of a client that has shown one.
    var certificate: PeerCertificate?
    /// When `expire` is due.
    var deadline: MonotonicTime
    var partial: PartialMessage?
    /// When a request was last begun or answered.
    var lastActive: MonotonicTime
    /// Of the request at hand, from its head to its response.
    var responder: (any HTTPResponder)?
    /// The file that follows the output; until it is sent nothing is parsed.
    var transfer: FileTransfer?

    init(peer: PeerAddress, ticket: UInt64, context: borrowing LoopContext) {
        self.peer = peer
        self.ticket = ticket
        deadline = context.now + context.deadlines.header
        lastActive = context.now
    }

    /// Stands for no connection.
    static var closed: Connection { Connection() }

    private init() {
        peer = .unix
        ticket = 0
        phase = .closed
        deadline = .distantFuture
        lastActive = .distantFuture
    }

    /// Whether it waits for a request of which not a byte has come.
    var isIdle: Bool { phase == .reading && stage == .idle && !hasUnparsed && transfer == nil }

    /// Whether the request at hand has its answer already, and the rest of its body is thrown away.
    var isAnswered: Bool { phase == .reading && partial?.parser.use == .discarded }

    /// Whether the client has had all its answers.
    var owesNothing: Bool { isIdle || isAnswered }

    /// The input's next bytes are these of `request`; `parser` is fresh, and is again on return.
    mutating func receive(
        _ input: Range<Int>, of request: inout HTTPRequest, _ parser: inout RequestParser,
        _ context: inout LoopContext
    ) {
        switch phase {
        case .reading:
            if let partial {
                partial.request.headers.bytes.append(contentsOf: request.headers.bytes[input])
                resume(&context)
            } else {
                let rest = parse(input, of: &request, &parser, &context)
                if phase == .reading || phase == .deferred, rest < input.upperBound {
                    keep(PartialMessage(request: request.moveOut(rest..<input.upperBound), parser: parser), &context)
                }
                parser.reset()
            }
        case .lingering:
            lingerBytes = UInt32(clamping: Int(lingerBytes) + input.count)
            if lingerBytes > context.limits.lingerBytes { phase = .closed }
        case .deferred, .finishing, .closed:
            break
        }
    }

    /// Parses on in what was kept: after more input, a flush, or a deferred answer.
    mutating func resume(_ context: inout LoopContext) {
        guard phase == .reading, let partial else { return }
        self.partial = nil
        let count = partial.request.headers.bytes.count
        let rest = parse(0..<count, of: &partial.request, &partial.parser, &context)
        guard phase == .reading || phase == .deferred, rest < count else { return }
        partial.removeFirst(rest)
        keep(partial, &context)
    }

    /// Keeps the rest of the input, or refuses the request it belongs to.
    private mutating func keep(_ partial: PartialMessage, _ context: inout LoopContext) {
        partial.compact()
        self.partial = partial
        if partial.charge(to: context.buffers) { return }
        if phase == .deferred {
            // The response to come is the connection's last: the client sends again what follows it.
            self.partial = nil
            form.closes = true
            mustLinger = true
        } else {
            failPartial(.buffersFull, &context)
        }
    }

    /// The client has sent its last byte. What it is owed it still gets.
    mutating func receiveEnd(_ context: inout LoopContext) {
        switch phase {
        case .reading where partial != nil && stage != .idle:
            failPartial(.truncated, &context)
            mustLinger = false
        case .reading, .lingering:
            phase = .closed
        case .deferred, .finishing, .closed:
            break
        }
    }

    /// The deferred response; nil if it was dropped.
    mutating func complete(with response: HTTPResponse?, _ context: inout LoopContext) {
        guard phase == .deferred else { return }
        phase = .reading
        let responder = responder.take()
        let failed = HTTPFailedRequest(from: peer)
        let response = response ?? responder?.response(to: .abandoned, of: failed)
        send(response ?? context.handler.response(to: .abandoned, of: failed), form, &context)
        if phase == .finishing { mustLinger = mustLinger || partial != nil }
    }

    /// The client was told why already, or by other means than an answer, and is not heard any more.
    mutating func endUnanswered(_ context: borrowing LoopContext) {
        phase = .finishing
        partial = nil
        responder = nil
        mustLinger = true
        deadline = context.now + context.deadlines.write
    }

    /// All output is sent after a closing answer: the writing side is to be shut down if `phase` is then `.lingering`.
    mutating func finishedWriting(_ context: borrowing LoopContext) {
        guard phase == .finishing, transfer == nil else { return }
        partial = nil
        phase = mustLinger ? .lingering : .closed
        deadline = context.now + context.deadlines.linger
    }
}
