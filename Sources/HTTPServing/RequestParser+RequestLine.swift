extension RequestParser {
    /// The request line; or an empty line before it, after which `phase` is still `.start`.
    mutating func takeRequestLine(_ bytes: Span<UInt8>, _ limits: HTTPLimits) throws(HTTPFailure) -> Bool {
        guard bytes.count > position else { return false }
        let first = bytes[position]
        // A TLS greeting or other noise is told at once, not after a time-out.
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

    /// `method SP request-target SP HTTP-version`, single spaces.
    private mutating func parseRequestLine(_ bytes: Span<UInt8>, _ line: ByteRange) throws(HTTPFailure) {
        let start = Int(line.start)
        let end = Int(line.end)
        var space = start
        while space < end, ASCII.isToken(bytes[space]) { space += 1 }
        // The shortest line is "M T HTTP/1.1".
        guard space > start, space < end, bytes[space] == ASCII.space, end - space > 10,
            bytes[end - 9] == ASCII.space
        else { throw .malformedRequestLine }
        head.version = try version(bytes, at: end - 8)
        head.method = HTTPMethod(bytes, ByteRange(start, space))
        try parseTarget(bytes, ByteRange(space + 1, end - 9))
        guard head.method.isImplemented else { throw .unsupportedMethod }
    }

    /// `HTTP/` DIGIT `.` DIGIT, eight bytes, case-sensitive. A higher minor version is read as the highest known one
    /// (RFC 9110 2.5).
    private func version(_ bytes: Span<UInt8>, at start: Int) throws(HTTPFailure) -> HTTPVersion {
        let name: [5 of UInt8] = [0x48, 0x54, 0x54, 0x50, 0x2F]
        for index in 0..<5 where bytes[start + index] != name[index] { throw .malformedRequestLine }
        let major = bytes[start + 5]
        let minor = bytes[start + 7]
        guard ASCII.isDigit(major), bytes[start + 6] == 0x2E, ASCII.isDigit(minor) else { throw .malformedRequestLine }
        guard major == 0x31 else { throw .unsupportedVersion }
        return minor == ASCII.zero ? .http1_0 : .http1_1
    }

    /// Origin form, absolute form of an http URI, `*` for OPTIONS, or the authority for CONNECT; visible ASCII without a
    /// fragment (RFC 9112 3.2).
    private mutating func parseTarget(_ bytes: Span<UInt8>, _ target: ByteRange) throws(HTTPFailure) {
        var question: Int?
        for index in Int(target.start)..<Int(target.end) {
            let byte = bytes[index]
            guard byte > ASCII.space, byte < ASCII.delete, byte != ASCII.hash else { throw .malformedTarget }
            if byte == ASCII.question, question == nil { question = index }
        }
        if head.method == .connect {
            guard Authority.isWellFormed(bytes, target) else { throw .malformedTarget }
            return
        }
        let pathEnd = question ?? Int(target.end)
        head.query = question.map { ByteRange($0 + 1, Int(target.end)) }
        let first = bytes[Int(target.start)]
        if first == ASCII.slash {
            head.path = ByteRange(Int(target.start), pathEnd)
        } else if first == ASCII.asterisk {
            guard target.count == 1, head.method == .options else { throw .malformedTarget }
            head.path = target
        } else {
            try parseAbsolute(bytes, ByteRange(Int(target.start), pathEnd))
        }
        try checkCharacters(bytes, head.path)
        if let query = head.query { try checkCharacters(bytes, query) }
    }

    /// `pchar`, `/` and `?` only (RFC 3986 3.3, 3.4), with whole escapes: what else stands here, others read otherwise.
    private func checkCharacters(_ bytes: Span<UInt8>, _ range: ByteRange) throws(HTTPFailure) {
        var index = Int(range.start)
        while index < Int(range.end) {
            let byte = bytes[index]
            let isAllowed =
                ASCII.isRegisteredName(byte) || byte == ASCII.slash || byte == ASCII.question || byte == ASCII.colon
                || byte == 0x40
            guard isAllowed, byte != ASCII.percent || Authority.isEscape(bytes, index, Int(range.end)) else {
                throw .malformedTarget
            }
            index += 1
        }
    }

    private mutating func parseAbsolute(_ bytes: Span<UInt8>, _ target: ByteRange) throws(HTTPFailure) {
        let start = Int(target.start)
        let prefix = { (count: Int) in ByteRange(start, min(start + count, Int(target.end))) }
        let scheme =
            if bytes.matches(prefix(7), "http://") { 7 } else if bytes.matches(prefix(8), "https://") { 8 } else { 0 }
        guard scheme > 0 else { throw .malformedTarget }
        var end = start + scheme
        while end < Int(target.end), bytes[end] != ASCII.slash { end += 1 }
        let authority = ByteRange(start + scheme, end)
        guard Authority.isWellFormed(bytes, authority) else { throw .malformedTarget }
        head.authority = authority
        head.path = ByteRange(end, Int(target.end))
    }
}
