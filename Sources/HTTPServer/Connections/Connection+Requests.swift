import HTTP1
import System
import Text

extension Connection {
    /// Responds to the complete requests in `input`, a range of the bytes of `request`, until the output is full.
    /// Returns the index of the first byte that is not consumed.
    mutating func parse(
        _ input: Range<Int>, of request: inout HTTPRequest, _ parser: inout RequestParser,
        _ context: inout LoopContext
    ) -> Int {
        var start = input.lowerBound
        let end = input.upperBound
        hasUnparsed = false
        request.received = context.now
        while start < end, phase == .reading {
            guard context.gathersMore, transfer == nil else {
                hasUnparsed = true
                return start
            }
            do {
                let bytes = request.headers.bytes
                let step = try parser.advance(
                    over: bytes.span.extracting(start..<end), limits: context.limits, into: &request.headers.fields)
                guard let next = try take(step, start..<end, of: &request, &parser, &context) else { return start }
                start = next
            } catch {
                let omitsBody = Self.isHEAD(request.headers.bytes[start..<end])
                let known = known(of: request, parser, request.headers.bytes[start..<end], error)
                fail(error, of: known, hasResponse: parser.message.use == .discarded, omitsBody: omitsBody, &context)
                return end
            }
        }
        hasUnparsed = start < end
        if phase == .finishing, start + parser.message.position < end {
            mustLinger = true
            context.discarded += end - start - parser.message.position
        }
        return start
    }

    /// Handles one step of the parser over `input`. Returns the index where parsing continues; nil if more input must
    /// arrive first.
    private mutating func take(
        _ step: MessageParser.Step, _ input: Range<Int>, of request: inout HTTPRequest, _ parser: inout RequestParser,
        _ context: inout LoopContext
    ) throws(HTTPFailure) -> Int? {
        let (start, end) = (input.lowerBound, input.upperBound)
        switch step {
        case .needsMore:
            // A single CR may begin an empty line, which is not a request.
            if input.count > 1 || request.headers.bytes[start] != ASCII.carriageReturn {
                enter(parser.message.hasHead ? .body : .head, context)
            }
            return nil
        case .head:
            request.begin(parser, at: start, from: peer, certificate: certificate)
            let message = request.headers.bytes.span.extracting(start..<end)
            try admit(request, message, &parser, &context)
            return start
        case .emptyLine:
            let next = start + parser.message.position
            parser.reset()
            return next
        case .content:
            let content = parser.message.contentRange
            let piece = request.headers.bytes[(start + content.lowerBound)..<(start + content.upperBound)]
            return deliver(piece, parser, &context) ? start : end
        case .message:
            request.takeContent(from: parser.message)
            if parser.message.use == .discarded { context.discarded += parser.message.bodyLength }
            let next = start + parser.message.position
            respond(to: request, &parser, &context)
            request.end()
            return next
        }
    }

    /// Returns the parts of a malformed request that were parsed before the error.
    func known(
        of request: HTTPRequest, _ parser: RequestParser, _ message: ArraySlice<UInt8>, _ failure: HTTPFailure
    ) -> HTTPFailedRequest {
        parser.message.hasHead
            ? HTTPFailedRequest(request)
            : HTTPFailedRequest(failure, from: peer, since: request.received, parser, message)
    }

    /// Whether a message is a HEAD request, even if it is malformed. Its response must not have a body (RFC 9110
    /// 9.3.2), because the client would read the body as the next response.
    static func isHEAD(_ message: ArraySlice<UInt8>) -> Bool { message.starts(with: "HEAD ".utf8) }

    /// Starts the timeout of a stage, unless the request is already in it.
    private mutating func enter(_ next: Stage, _ context: LoopContext) {
        guard next != stage else { return }
        if stage == .idle { lastActive = context.now }
        stage = next
        deadline = context.now + (next == .body ? context.deadlines.body : context.deadlines.header)
    }

    /// Starts the header timeout when part of a TLS record has arrived, although nothing of it can be parsed yet. A
    /// record that carries no request, such as a key update, makes the connection idle again.
    mutating func note(isWithinRecord: Bool, _ context: LoopContext) {
        if isWithinRecord {
            if isIdle { enter(.head, context) }
        } else if phase == .reading, stage == .head, partial == nil {
            stage = .idle
            restartIdleTimeout(context)
        }
    }

    /// Lets the handler decide what to do with a request whose head is complete.
    ///
    /// - Parameter message: the part of the request that has arrived.
    private mutating func admit(
        _ request: HTTPRequest, _ message: Span<UInt8>, _ parser: inout RequestParser,
        _ context: inout LoopContext
    ) throws(HTTPFailure) {
        if parser.message.head.hasOtherExpectation, request.version == .http1_1 { throw .unsupportedExpectation }
        try apply(context.handler.body(for: request), to: request, message, &parser, &context)
    }

    /// Starts to read the body, or responds at once.
    private mutating func apply(
        _ decision: HTTPBodyDecision, to request: HTTPRequest, _ message: Span<UInt8>, _ parser: inout RequestParser,
        _ context: inout LoopContext
    ) throws(HTTPFailure) {
        let awaitsContinue = parser.message.head.awaitsContinue && message.count == parser.message.position
        let length = parser.message.head.contentLength ?? 0
        switch decision {
        case .read(let limit, let responder):
            self.responder = responder
            parser.message.bodyLimit = min(max(0, limit), context.limits.bodyBytes)
            if length > parser.message.bodyLimit { throw .bodyTooLarge }
            if awaitsContinue {
                guard context.buffers.hasRoom(for: message.count + length, for: .request) else { throw .buffersFull }
                context.output.append(contentsOf: "HTTP/1.1 100 Continue\r\n\r\n".utf8)
            }
        case .stream(let limit, let responder):
            self.responder = responder
            parser.message.bodyLimit = max(0, limit)
            parser.message.use = .streamed
            if length > parser.message.bodyLimit { throw .bodyTooLarge }
            if awaitsContinue { context.output.append(contentsOf: "HTTP/1.1 100 Continue\r\n\r\n".utf8) }
        case .refuse(let response):
            parser.message.bodyLimit = context.limits.bodyBytes
            parser.message.use = .discarded
            // Parse the received part of the body first: if it is invalid, the response must announce the close.
            let step = try? parser.message.advance(over: message, limits: context.limits)
            var form = form(for: parser, context)
            // A client that waits for 100 may or may not send its body after this response, so the framing is unknown.
            form.closes = form.closes || awaitsContinue || step == nil
            mustLinger = step != .message
            // Otherwise `take` counts the message, as the next step.
            if form.closes, step == .message { context.discarded += parser.message.bodyLength }
            send(response, form, &context)
        case .costly(let decide):
            let cheap = context.admits(request) ? decide(request) : .refuse(context.refusal(.overloaded, of: request))
            try apply(cheap, to: request, message, &parser, &context)
        }
    }

    /// Responds to a complete request, unless it was refused at its head, and resets the parser.
    private mutating func respond(
        to request: HTTPRequest, _ parser: inout RequestParser, _ context: inout LoopContext
    ) {
        defer { parser.reset() }
        stage = .idle
        mustLinger = false
        guard let responder else { return restartIdleTimeout(context) }
        form = form(for: parser, context)
        if !context.admits(request) {
            self.responder = nil
            return send(context.refusal(.overloaded, of: request, from: responder), form, &context)
        }
        if let response = context.response(to: request, ticket: ticket, from: responder) {
            self.responder = nil
            send(response, form, &context)
        } else {
            phase = .deferred
            deadline = context.now + context.deadlines.response
        }
    }

    private func form(for parser: RequestParser, _ context: LoopContext) -> HTTPResponse.Form {
        HTTPResponse.Form(
            omitsBody: parser.line.method == .head, closes: !parser.message.head.keepsAlive || context.isDraining,
            announcesKeepAlive: parser.message.head.version == .http1_0)
    }

    /// Appends a response to the output.
    mutating func send(_ response: HTTPResponse, _ form: HTTPResponse.Form, _ context: inout LoopContext) {
        var form = form
        form.closes = form.closes || context.isDraining
        response.serialize(as: form, date: context.date.bytes, to: &context.output)
        transfer = response.file(after: form).map { FileTransfer($0) }
        if form.closes {
            phase = .finishing
            deadline = context.now + context.deadlines.write
        } else {
            restartIdleTimeout(context)
        }
    }

    private mutating func restartIdleTimeout(_ context: LoopContext) {
        lastActive = context.now
        deadline = context.now + context.idleTimeout
    }

    /// Passes a piece of streamed content to the responder. Returns false if the responder has ended the request, which
    /// makes its response the connection's last.
    private mutating func deliver(
        _ piece: ArraySlice<UInt8>, _ parser: RequestParser, _ context: inout LoopContext
    ) -> Bool {
        // Each piece restarts the body timeout, because a streamed body may have any size.
        deadline = context.now + context.deadlines.body
        guard let response = responder?.receive(piece) else { return true }
        responder = nil
        var form = form(for: parser, context)
        form.closes = true
        send(response, form, &context)
        mustLinger = true
        return false
    }

    /// Responds to a failure and ends the connection; later input is ignored. A request that already has its response
    /// gets no second one.
    mutating func fail(
        _ failure: HTTPFailure, of request: HTTPFailedRequest, hasResponse: Bool = false, omitsBody: Bool = false,
        _ context: inout LoopContext
    ) {
        if hasResponse { return endWithoutResponse(context) }
        let response =
            context.response(to: failure, of: request, from: responder)
            ?? context.handler.response(to: failure, of: request)
        end(with: response, omitsBody: omitsBody || request.method == .head, &context)
    }

    /// Sends the last response of the connection; later input is ignored.
    mutating func end(with response: HTTPResponse, omitsBody: Bool, _ context: inout LoopContext) {
        send(response, HTTPResponse.Form(omitsBody: omitsBody, closes: true), &context)
        partial = nil
        responder = nil
        mustLinger = true
    }
}
