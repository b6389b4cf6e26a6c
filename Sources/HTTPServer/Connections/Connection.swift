package import HTTP1
package import System

/// The state machine of one connection, without its socket. Its inputs are bytes and times; its outputs are responses,
/// which it appends to the context's output, and a phase.
package struct Connection {
    package enum Phase: UInt8, Sendable {
        /// Reads requests.
        case reading
        /// Waits for a deferred response. Nothing is read or parsed meanwhile.
        case deferred
        /// The last response is in the output. Send it, then call `finishedWriting`.
        case finishing
        /// The last response is sent and writing is shut down. Up to `HTTPLimits.lingerBytes` of input are discarded.
        case lingering
        case closed
    }

    /// The progress of the current request. Each stage has its own timeout.
    enum Stage: UInt8 { case idle, head, body }

    let peer: PeerAddress
    package var phase = Phase.reading
    var stage = Stage.idle
    /// Whether `partial` may contain a whole request, because parsing stopped before the end of the input.
    package var hasUnparsed = false
    /// Whether the client may still be sending input after the last response.
    var mustLinger = false
    /// The form of the deferred response.
    var form = HTTPResponse.Form()
    /// The number of bytes received while lingering.
    var lingerBytes: UInt32 = 0
    /// Identifies this connection to its deferrals; never 0.
    package let ticket: UInt64
    /// The client's certificate, if it sent one.
    package var certificate: PeerCertificate?
    /// When to call `expire`.
    package var deadline: MonotonicTime
    /// Input that is not consumed yet.
    var partial: PartialMessage?
    /// When a request last began or got its response.
    var lastActive: MonotonicTime
    /// The responder of the current request, from its head to its response.
    var responder: (any HTTPResponder)?
    /// The file that follows the output. Parsing waits until it is sent.
    var transfer: FileTransfer?

    package init(peer: PeerAddress, ticket: UInt64, context: LoopContext) {
        self.peer = peer
        self.ticket = ticket
        deadline = context.now + context.deadlines.header
        lastActive = context.now
    }

    /// The connection of a free slot.
    static var closed: Connection { Connection() }

    private init() {
        peer = .unix
        ticket = 0
        phase = .closed
        deadline = .distantFuture
        lastActive = .distantFuture
    }

    /// Whether it waits for the first byte of a request.
    var isIdle: Bool { phase == .reading && stage == .idle && !hasUnparsed && transfer == nil }

    /// Whether the current request already has its response and the rest of its body is discarded.
    var hasResponse: Bool { phase == .reading && partial?.parser.message.use == .discarded }

    /// Whether every request has its response.
    var owesNothing: Bool { isIdle || hasResponse }

    /// Handles received bytes: `input` is their range in `request`. The parser is reset before and after.
    package mutating func receive(
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
            context.discarded += input.count
            lingerBytes = UInt32(clamping: Int(lingerBytes) + input.count)
            if lingerBytes > context.limits.lingerBytes { phase = .closed }
        case .deferred, .finishing, .closed:
            break
        }
    }

    /// Continues parsing the kept input after more input, a flush or a deferred response.
    package mutating func resume(_ context: inout LoopContext) {
        guard phase == .reading, let partial else { return }
        self.partial = nil
        let count = partial.request.headers.bytes.count
        let rest = parse(0..<count, of: &partial.request, &partial.parser, &context)
        guard phase == .reading || phase == .deferred, rest < count else { return }
        partial.removeFirst(rest)
        keep(partial, &context)
    }

    /// Keeps the rest of the input, or refuses its request if the memory budget does not allow that.
    private mutating func keep(_ partial: PartialMessage, _ context: inout LoopContext) {
        partial.compact()
        self.partial = partial
        if partial.charge(to: context.buffers) { return }
        if phase == .deferred {
            // The kept input follows the deferred request. Dropping it makes that response the last; the client retries
            // the requests after it.
            self.partial = nil
            form.closes = true
            mustLinger = true
        } else {
            failPartial(.buffersFull, &context)
        }
    }

    /// Handles the end of the input. Pending responses are still sent.
    package mutating func receiveEnd(_ context: inout LoopContext) {
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

    /// Sends a deferred response.
    ///
    /// - Parameter response: nil if the deferral was abandoned.
    package mutating func complete(with response: HTTPResponse?, _ context: inout LoopContext) {
        guard phase == .deferred else { return }
        phase = .reading
        let responder = responder.take()
        let failed = HTTPFailedRequest(from: peer)
        let response = response ?? responder?.response(to: .abandoned, of: failed)
        send(response ?? context.handler.response(to: .abandoned, of: failed), form, &context)
        if phase == .finishing { mustLinger = mustLinger || partial != nil }
    }

    /// Ends the connection without a further response: the request already has one, or a TLS alert gives the reason.
    mutating func endWithoutResponse(_ context: LoopContext) {
        phase = .finishing
        partial = nil
        responder = nil
        mustLinger = true
        deadline = context.now + context.deadlines.write
    }

    /// Continues after the last response has been sent. If `phase` is then `.lingering`, shut down writing.
    package mutating func finishedWriting(_ context: LoopContext) {
        guard phase == .finishing, transfer == nil else { return }
        partial = nil
        phase = mustLinger ? .lingering : .closed
        deadline = context.now + context.deadlines.linger
    }
}
