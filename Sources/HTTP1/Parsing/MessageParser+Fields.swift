import Text

extension MessageParser {
    /// Reads the complete field lines into `fields`. Returns true once it has read the empty line that ends the head. The
    /// caller then checks the fields and sets `phase` to `.headDone`.
    mutating func takeFields(
        _ bytes: Span<UInt8>, _ limits: HTTPLimits, into fields: inout FieldTable
    ) throws(HTTPFailure) -> Bool {
        while let line = try nextLine(
            bytes, longest: limits.headerBytes - (position - sectionStart) - 2, tooLong: .headerBytesExceeded,
            malformed: .malformedHeader)
        {
            pass(line)
            if line.isEmpty {
                sectionStart = position
                // RFC 9112 6.1: a sign of request smuggling.
                if head.isChunked, head.contentLength != nil || head.version == .http1_0 { throw .ambiguousFraming }
                return true
            }
            guard fields.count < limits.headerCount else { throw .headerCountExceeded }
            let field = try Self.parseField(bytes, line)
            if let known = field.known { try note(bytes, known, field.value) }
            fields.append(field)
        }
        return false
    }

    /// Parses `field-name ":" OWS field-value OWS`. A folded line begins with a blank, so it has no name and fails.
    /// `nextLine` has already rejected control characters in the value.
    static func parseField(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(HTTPFailure) -> FieldTable.Field {
        let line = bytes.extracting(range)
        let colon = line.position(of: ASCII.colon, from: 0)
        guard colon > 0, colon < line.count else { throw .malformedHeader }
        let name = line.extracting(first: colon)
        let known = HTTPFieldName(name)
        guard known != nil || name.isToken else { throw .malformedHeader }
        let end = range.lowerBound + colon
        return FieldTable.Field(
            name: ByteRange(range.lowerBound, end), value: bytes.trimmed((end + 1)..<range.upperBound), known: known)
    }

    /// Records the fields that affect framing and the connection.
    private mutating func note(
        _ bytes: Span<UInt8>, _ name: HTTPFieldName, _ value: ByteRange
    ) throws(HTTPFailure) {
        switch name {
        case .expect:
            noteExpectations(bytes, value)
        case .connection:
            noteConnection(bytes, value)
        case .contentLength:
            guard head.contentLength == nil else { throw .malformedContentLength }
            // 1*DIGIT that fits an Int: no sign, no list, no space.
            guard let length = Int(decimal: bytes.extracting(value.offset(by: 0))) else {
                throw .malformedContentLength
            }
            head.contentLength = length
        case .transferEncoding:
            guard !head.isChunked else { throw .malformedTransferEncoding }
            head.isChunked = true
            try Self.checkTransferEncoding(bytes, value)
        default:
            break
        }
    }

    private mutating func noteConnection(_ bytes: Span<UInt8>, _ value: ByteRange) {
        Self.forEachElement(bytes, value) { option in
            if bytes.matches(option, "close") { head.connectionCloses = true }
            if bytes.matches(option, "keep-alive") { head.connectionKeepsAlive = true }
        }
    }

    /// Records the elements of a list, ignoring empty ones (RFC 9110 5.6.1, 10.1.1).
    private mutating func noteExpectations(_ bytes: Span<UInt8>, _ value: ByteRange) {
        Self.forEachElement(bytes, value) { expectation in
            if bytes.matches(expectation, "100-continue") {
                head.expectsContinue = true
            } else if !expectation.isEmpty {
                head.hasOtherExpectation = true
            }
        }
    }

    /// Accepts `chunked` only. A list of tokens in which `chunked` is absent or last is unsupported; anything else is
    /// malformed.
    private static func checkTransferEncoding(_ bytes: Span<UInt8>, _ value: ByteRange) throws(HTTPFailure) {
        if bytes.matches(value, "chunked") { return }
        var chunkedSeen = false
        var isWellFormed = true
        forEachElement(bytes, value) { coding in
            if coding.isEmpty || chunkedSeen { isWellFormed = false }
            for index in Int(coding.start)..<Int(coding.end) where !ASCII.isToken(bytes[index]) { isWellFormed = false }
            if bytes.matches(coding, "chunked") { chunkedSeen = true }
        }
        throw isWellFormed ? .unsupportedTransferEncoding : .malformedTransferEncoding
    }

    /// Calls `body` for each element of a comma-separated list, trimmed, including empty ones.
    private static func forEachElement(_ bytes: Span<UInt8>, _ value: ByteRange, _ body: (ByteRange) -> Void) {
        var start = Int(value.start)
        for index in Int(value.start)...Int(value.end)
        where index == Int(value.end) || bytes[index] == ASCII.comma {
            body(bytes.trimmed(start..<index))
            start = index + 1
        }
    }
}
