package import System
import Text

/// The request line, as ranges of the message's bytes.
package struct RequestLine: Sendable {
    package var method = HTTPMethod.get
    package var path = ByteRange()
    package var query: ByteRange?
    /// The authority of an absolute target.
    package var authority: ByteRange?
}

/// Parses one request at a time from input that may be split anywhere; see `MessageParser`.
package struct RequestParser: Sendable {
    package var line = RequestLine()
    /// The state after the request line.
    package var message = MessageParser()

    /// Creates a parser at the beginning of a message.
    package init() {}

    /// Parses up to the next step.
    ///
    /// - Parameters:
    ///   - bytes: the message from its first byte to the last one received.
    ///   - fields: receives the header fields; the same table for all calls for one message.
    package mutating func advance(
        over bytes: Span<UInt8>, limits: HTTPLimits, into fields: inout FieldTable
    ) throws(HTTPFailure) -> MessageParser.Step {
        if message.phase == .start {
            guard try takeRequestLine(bytes, limits) else { return .needsMore }
            guard message.phase == .fields else { return .emptyLine }
            fields.removeAll()
        }
        guard message.phase == .fields else { return try message.advance(over: bytes, limits: limits) }
        guard try message.takeFields(bytes, limits, into: &fields) else { return .needsMore }
        try checkHost(bytes, &fields)
        message.phase = .headDone
        return .head
    }

    /// Prepares for the next message.
    package mutating func reset() {
        line = RequestLine()
        message.reset()
    }

    /// Reads the request line, or an empty line before it, after which the phase is still `.start`.
    private mutating func takeRequestLine(_ bytes: Span<UInt8>, _ limits: HTTPLimits) throws(HTTPFailure) -> Bool {
        guard bytes.count > message.position else { return false }
        let first = bytes[message.position]
        // Rejects a TLS ClientHello and other binary input at once instead of after the header timeout.
        guard ASCII.isToken(first) || first == ASCII.carriageReturn else {
            throw .malformedRequestLine
        }
        guard
            let line = try message.nextLine(
                bytes, longest: limits.requestLine, tooLong: .requestLineTooLong, malformed: .malformedRequestLine)
        else { return false }
        message.pass(line)
        guard !line.isEmpty else { return true }
        try parseRequestLine(bytes, line)
        message.beginFields()
        return true
    }

    /// Parses `method SP request-target SP HTTP-version` with single spaces.
    private mutating func parseRequestLine(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(HTTPFailure) {
        let (start, end) = (range.lowerBound, range.upperBound)
        var space = start
        while space < end, ASCII.isToken(bytes[space]) { space += 1 }
        // The shortest line is "M T HTTP/1.1".
        guard space > start, space < end, bytes[space] == ASCII.space, end - space > 10,
            bytes[end - 9] == ASCII.space
        else { throw .malformedRequestLine }
        message.head.version = try Self.version(bytes.extracting((end - 8)..<end))
        line.method = HTTPMethod(token: bytes.extracting(start..<space))
        try parseTarget(bytes, (space + 1)..<(end - 9))
        guard line.method.isImplemented else { throw .unsupportedMethod }
    }

    /// Parses `HTTP/` DIGIT `.` DIGIT, case-sensitive. A higher minor version is treated as HTTP/1.1 (RFC 9110 2.5).
    ///
    /// - Parameter text: eight bytes.
    private static func version(_ text: Span<UInt8>) throws(HTTPFailure) -> HTTPVersion {
        if text.equals("HTTP/1.1") { return .http1_1 }
        guard text.starts(with: "HTTP/"), ASCII.isDigit(text[5]), text[6] == ASCII.dot, ASCII.isDigit(text[7]) else {
            throw .malformedRequestLine
        }
        guard text[5] == ASCII.zero + 1 else { throw .unsupportedVersion }
        return text[7] == ASCII.zero ? .http1_0 : .http1_1
    }

    /// Parses the origin form, the absolute form of an http URI, `*` for OPTIONS, or the authority for CONNECT
    /// (RFC 9112 3.2). It rejects anything else, such as a fragment, because other implementations may read it
    /// differently.
    private mutating func parseTarget(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(HTTPFailure) {
        let target = bytes.extracting(range)
        if line.method == .connect {
            guard (try? Authority(target, allowsEmptyPort: true)) != nil else { throw .malformedTarget }
            return
        }
        let start = range.lowerBound
        if target[0] == ASCII.asterisk {
            guard target.count == 1, line.method == .options else { throw .malformedTarget }
            line.path = ByteRange(start, range.upperBound)
            return
        }
        let parsed: RequestTarget?
        if target[0] == ASCII.slash {
            parsed = RequestTarget(target, from: 0)
        } else {
            let url = try? AbsoluteURL(target, allowsEmptyPort: true)
            line.authority = url.map { ByteRange($0.authorityRange, from: start) }
            parsed = url?.target
        }
        guard let parsed else { throw .malformedTarget }
        line.path = ByteRange(parsed.path, from: start)
        line.query = parsed.query.map { ByteRange($0, from: start) }
    }

    /// Checks the Host field, which needs the whole head (RFC 9112 3.2).
    private func checkHost(_ bytes: Span<UInt8>, _ fields: inout FieldTable) throws(HTTPFailure) {
        guard fields.count(.host) == 1, let host = fields.index(of: .host) else {
            guard !fields.contains(.host), message.head.version == .http1_0 else { throw .hostCount }
            return
        }
        let value = bytes.extracting(fields[host].value.offset(by: 0))
        guard (try? Authority(value, allowsEmptyPort: true)) != nil else { throw .malformedHost }
        // RFC 9112 3.2.2: the authority of an absolute target replaces the value of Host.
        if let authority = line.authority { fields.setValue(authority, of: host) }
    }
}

extension HTTPRequest {
    /// Takes over the head that `parser` has parsed at `base` of the bytes, with the fields in `headers.fields`.
    package mutating func begin(
        _ parser: RequestParser, at base: Int, from peer: PeerAddress, certificate: PeerCertificate? = nil
    ) {
        method = parser.line.method
        version = parser.message.head.version
        pathRange = parser.line.path
        queryRange = parser.line.query
        headers.base = base
        self.peer = peer
        self.certificate = certificate
    }

    /// Takes over the content that `parser` has kept of the complete message.
    package mutating func takeContent(from parser: MessageParser) {
        guard parser.use == .kept else { return }
        if parser.head.isChunked {
            chunks = parser.content
        } else if let length = parser.head.contentLength {
            contentRange = ByteRange(parser.position - length, parser.position)
        }
    }
}

extension HTTPFailedRequest {
    /// Creates a request whose head is incomplete; `parser` has read as much of `message` as it could.
    package init(
        _ failure: HTTPFailure, from peer: PeerAddress, since began: MonotonicTime,
        _ parser: RequestParser, _ message: ArraySlice<UInt8>
    ) {
        self.init(from: peer)
        self.began = began
        // The parser checks the method last, so a line with an unsupported method is otherwise parsed.
        guard parser.message.phase != .start || failure == .unsupportedMethod else { return }
        if !parser.line.method.isUnknown { method = parser.line.method }
        if !parser.line.path.isEmpty { path = message[parser.line.path.offset(by: message.startIndex)] }
    }
}
