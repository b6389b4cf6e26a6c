import Text

extension RequestParser {
    /// Reads the request line, or an empty line before it, after which `phase` is still `.start`.
    mutating func takeRequestLine(_ bytes: Span<UInt8>, _ limits: HTTPLimits) throws(HTTPFailure) -> Bool {
        guard bytes.count > position else { return false }
        let first = bytes[position]
        // Rejects a TLS ClientHello and other binary input at once instead of after the header timeout.
        guard ASCII.isToken(first) || first == ASCII.carriageReturn else {
            throw .malformedRequestLine
        }
        guard
            let line = try nextLine(
                bytes, longest: limits.requestLine, tooLong: .requestLineTooLong, malformed: .malformedRequestLine)
        else { return false }
        pass(line)
        guard !line.isEmpty else { return true }
        try parseRequestLine(bytes, line)
        sectionStart = position
        phase = .fields
        return true
    }

    /// Parses `method SP request-target SP HTTP-version` with single spaces.
    private mutating func parseRequestLine(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(HTTPFailure) {
        let (start, end) = (line.lowerBound, line.upperBound)
        var space = start
        while space < end, ASCII.isToken(bytes[space]) { space += 1 }
        // The shortest line is "M T HTTP/1.1".
        guard space > start, space < end, bytes[space] == ASCII.space, end - space > 10,
            bytes[end - 9] == ASCII.space
        else { throw .malformedRequestLine }
        head.version = try Self.version(bytes.extracting((end - 8)..<end))
        head.method = HTTPMethod(token: bytes.extracting(start..<space))
        try parseTarget(bytes, (space + 1)..<(end - 9))
        guard head.method.isImplemented else { throw .unsupportedMethod }
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
        if head.method == .connect {
            guard (try? Authority(target, allowsEmptyPort: true)) != nil else { throw .malformedTarget }
            return
        }
        let start = range.lowerBound
        if target[0] == ASCII.asterisk {
            guard target.count == 1, head.method == .options else { throw .malformedTarget }
            head.path = ByteRange(start, range.upperBound)
            return
        }
        let parsed: RequestTarget?
        if target[0] == ASCII.slash {
            parsed = RequestTarget(target, from: 0)
        } else {
            let url = try? AbsoluteURL(target, allowsEmptyPort: true)
            head.authority = url.map { ByteRange($0.authorityRange, from: start) }
            parsed = url?.target
        }
        guard let parsed else { throw .malformedTarget }
        head.path = ByteRange(parsed.path, from: start)
        head.query = parsed.query.map { ByteRange($0, from: start) }
    }
}
