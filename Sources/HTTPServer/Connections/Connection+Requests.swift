import HTTP1
import System
import Text

extension Connection {
    /// Answers as many requests as are complete in these bytes of `request`, until the output is full. Returns where the
    /// unanswered rest begins.
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
                let step = try parser.advance(
                    over: request.headers.bytes.span.extracting(start..<end), limits: context.limits)
                guard let next = try take(step, start..<end, of: &request, &parser, &context) else { return start }
                start = next
            } catch {
                let omitsBody = Self.isHEAD(request.headers.bytes[start..<end])
                let known = known(of: request, parser, request.headers.bytes[start..<end], error)
                fail(error, of: known, isAnswered: parser.use == .discarded, omitsBody: omitsBody, &context)
                return end
            }
        }
        hasUnparsed = start < end
        if phase == .finishing, start + parser.position < end { mustLinger = true }
        return start
    }

    /// Handles one step of the parser over `input`. Returns where the input after it begins; nil if more must arrive first.
    private mutating func take(
        _ step: RequestParser.Step, _ input: Range<Int>, of request: inout HTTPRequest, _ parser: inout RequestParser,
        _ context: inout LoopContext
    ) throws(HTTPFailure) -> Int? {
        let (start, end) = (input.lowerBound, input.upperBound)
        switch step {
        case .needsMore:
            // A CR by itself begins an empty line, which is nobody's request.
            if input.count > 1 || request.headers.bytes[start] != ASCII.carriageReturn {
                wait(for: parser, &context)
            }
            return nil
        case .head:
            request.begin(&parser, at: start, from: peer, certificate: certificate)
            let message = request.headers.bytes.span.extracting(start..<end)
            try admit(request, message, &parser, &context)
            return start
        case .emptyLine:
            let next = start + parser.position
            parser.reset()
            return next
        case .content:
            let content = parser.contentRange
            let piece = request.headers.bytes[(start + content.lowerBound)..<(start + content.upperBound)]
            return passOn(piece, parser.head, &context) ? start : end
        case .message:
            request.takeContent(from: parser)
            let next = start + parser.position
            answer(request, &parser, &context)
            request.end()
            return next
        }
    }

    /// What is known of a request that failed, with the parser that has seen `message`.
    func known(
        of request: borrowing HTTPRequest, _ parser: borrowing RequestParser, _ message: ArraySlice<UInt8>,
        _ failure: HTTPFailure
    ) -> HTTPFailedRequest {
        parser.hasHead
            ? HTTPFailedRequest(copy request)
            : HTTPFailedRequest(failure, from: peer, since: request.received, parser, message)
    }

    /// Whether a message is a HEAD request, however little of it was understood: its answer has no body in any case
    /// (RFC 9110 9.3.2), or a client would take that for the next answer.
    static func isHEAD(_ message: ArraySlice<UInt8>) -> Bool { message.starts(with: "HEAD ".utf8) }

    /// Starts the clock of the stage the request has reached.
    private mutating func wait(for parser: RequestParser, _ context: inout LoopContext) {
        wait(for: parser.hasHead ? .body : .head, context)
    }

    private mutating func wait(for reached: Stage, _ context: borrowing LoopContext) {
        guard reached != stage else { return }
        if stage == .idle { lastActive = context.now }
        stage = reached
        deadline = context.now + (reached == .body ? context.deadlines.body : context.deadlines.header)
    }

    /// With TLS a request has begun with a part of its first record, of which nothing can be understood yet. What is no
    /// request, such as new keys, may end without one.
    mutating func note(isWithinRecord: Bool, _ context: borrowing LoopContext) {
        if isWithinRecord {
            if isIdle { wait(for: .head, context) }
        } else if phase == .reading, stage == .head, partial == nil {
            stage = .idle
            rest(context)
        }
    }

    /// Lets the handler decide about a head, before anything of the body is waited for.
    ///
    /// - Parameter message: what is here of the request.
    private mutating func admit(
        _ request: borrowing HTTPRequest, _ message: Span<UInt8>, _ parser: inout RequestParser,
        _ context: inout LoopContext
    ) throws(HTTPFailure) {
        if parser.head.hasOtherExpectation, request.version == .http1_1 { throw .unsupportedExpectation }
        let awaitsContinue = parser.head.awaitsContinue && message.count == parser.position
        let length = parser.head.contentLength ?? 0
        switch context.handler.body(for: request) {
        case .read(let limit, let responder):
            self.responder = responder
            parser.bodyLimit = min(max(0, limit), context.limits.bodyBytes)
            if length > parser.bodyLimit { throw .bodyTooLarge }
            if awaitsContinue {
                guard context.buffers.hasRoom(for: message.count + length, for: .request) else { throw .buffersFull }
                context.output.append(contentsOf: "HTTP/1.1 100 Continue\r\n\r\n".utf8)
            }
        case .stream(let limit, let responder):
            self.responder = responder
            parser.bodyLimit = max(0, limit)
            parser.use = .streamed
            if length > parser.bodyLimit { throw .bodyTooLarge }
            if awaitsContinue { context.output.append(contentsOf: "HTTP/1.1 100 Continue\r\n\r\n".utf8) }
        case .refuse(let response):
            parser.bodyLimit = context.limits.bodyBytes
            parser.use = .discarded
            // What is here of the body is looked at first: if it ends the connection, the answer has to say so.
            let step = try? parser.advance(over: message, limits: context.limits)
            var form = form(for: parser.head, context)
            // Whether a client that waits for 100 will send its body after another answer cannot be known.
            form.closes = form.closes || awaitsContinue || step == nil
            mustLinger = step != .message
            send(response, form, &context)
        }
    }

    /// Answers a complete request, unless it was refused at its head. The parser is ready for the next one.
    private mutating func answer(
        _ request: HTTPRequest, _ parser: inout RequestParser, _ context: inout LoopContext
    ) {
        defer { parser.reset() }
        stage = .idle
        mustLinger = false
        guard let responder else { return rest(context) }
        form = form(for: parser.head, context)
        if !context.admits(request) {
            self.responder = nil
            return send(context.refusal(.overloaded, of: request, from: responder), form, &context)
        }
        if let response = context.response(to: request, ticket: ticket, from: responder) {
            self.responder = nil
            send(response, form, &context)
        } else {
            phase = .deferred
            deadline = context.now + context.deadlines.answer
        }
    }

    private func form(for head: borrowing RequestHead, _ context: borrowing LoopContext) -> HTTPResponse.Form {
        let (isDraining, keepsAlive) = (context.isDraining, head.keepsAlive)
        return HTTPResponse.Form(
            omitsBody: head.method == .head, closes: !keepsAlive || isDraining,
            announcesKeepAlive: head.version == .http1_0)
    }

    /// Puts an answer into the output.
    mutating func send(_ response: HTTPResponse, _ form: HTTPResponse.Form, _ context: inout LoopContext) {
        var form = form
        form.closes = form.closes || context.isDraining
        response.serialize(as: form, date: context.date.bytes, to: &context.output)
        transfer = response.file(after: form).map { FileTransfer($0) }
        hasServed = true
        if form.closes {
            phase = .finishing
            deadline = context.now + context.deadlines.write
        } else {
            rest(context)
        }
    }

    private mutating func rest(_ context: borrowing LoopContext) {
        lastActive = context.now
        deadline = context.now + context.idleTimeout
    }

    /// Shows the responder a piece of streamed content. False when it wants no more of the body: its response is the
    /// connection's last.
    private mutating func passOn(
        _ piece: ArraySlice<UInt8>, _ head: borrowing RequestHead, _ context: inout LoopContext
    ) -> Bool {
        // A streamed body has no total time: a piece begins it anew.
        deadline = context.now + context.deadlines.body
        guard let response = responder?.receive(piece) else { return true }
        responder = nil
        var form = form(for: head, context)
        form.closes = true
        send(response, form, &context)
        mustLinger = true
        return false
    }

    /// Says why, and closes; nothing that follows in the input is looked at. A request that was answered before its
    /// body gets no second answer.
    mutating func fail(
        _ failure: HTTPFailure, of request: HTTPFailedRequest, isAnswered: Bool = false, omitsBody: Bool = false,
        _ context: inout LoopContext
    ) {
        if isAnswered { return endUnanswered(context) }
        let response =
            context.response(to: failure, of: request, from: responder)
            ?? context.handler.response(to: failure, of: request)
        end(with: response, omitsBody: omitsBody || request.method == .head, &context)
    }

    /// Sends an answer that is the last, whatever follows in the input.
    mutating func end(with response: HTTPResponse, omitsBody: Bool, _ context: inout LoopContext) {
        send(response, HTTPResponse.Form(omitsBody: omitsBody, closes: true), &context)
        partial = nil
        responder = nil
        mustLinger = true
    }
}
