import Text

/// Parses one response from input that may be split anywhere (RFC 9112, sections 4 and 6). Header fields and framing
/// follow the same strict rules as requests.
package struct ResponseParser: Sendable {
    /// The status code; 0 until the status line is complete.
    package private(set) var status = 0
    private var message = MessageParser()
    private var fields = FieldTable()
    private let limits: HTTPLimits
    private let bodyLimit: Int
    /// Whether the response has no content whatever its fields say (RFC 9112, section 6.3, rule 1).
    private let answersHEAD: Bool
    private var bytes: [UInt8] = []

    /// - Parameters:
    ///   - bodyLimit: the maximum content in bytes; more fails with `HTTPFailure.bodyTooLarge`.
    ///   - answersHEAD: whether the method of the request is HEAD.
    package init(bodyLimit: Int, answersHEAD: Bool = false) {
        self.bodyLimit = bodyLimit
        self.answersHEAD = answersHEAD
        limits = HTTPLimits()
        message.bodyLimit = bodyLimit
    }

    /// The content received so far, without chunk sizes.
    package var body: ArraySlice<UInt8> {
        guard message.hasHead else { return [] }
        return message.head.isChunked ? message.content[...] : bytes[message.sectionStart..<message.position]
    }

    /// Parses the next bytes. Returns true once the response is complete; bytes after it are ignored.
    ///
    /// - Throws: `HTTPFailure` if the response is malformed or exceeds a limit. The parser must not be used afterwards.
    package mutating func take(_ more: ArraySlice<UInt8>) throws(HTTPFailure) -> Bool {
        bytes += more
        let bytes = bytes
        if message.phase == .start {
            guard
                let line = try message.nextLine(
                    bytes.span, longest: limits.requestLine, tooLong: .malformedRequestLine,
                    malformed: .malformedRequestLine)
            else { return false }
            (status, message.head.version) = try Self.status(bytes.span.extracting(line))
            message.pass(line)
            message.beginFields()
        }
        if message.phase == .fields {
            guard try message.takeFields(bytes.span, limits, into: &fields) else { return false }
            message.phase = hasNoContent ? .done : .headDone
        }
        if message.phase == .done { return true }
        if !endsWithConnection { return try message.advance(over: bytes.span, limits: limits) == .message }
        message.position = bytes.count
        guard message.position - message.sectionStart <= bodyLimit else { throw .bodyTooLarge }
        return false
    }

    /// Whether the response is complete if the connection ends here.
    package var mayEnd: Bool { message.phase == .done || (message.hasHead && endsWithConnection) }

    /// The header fields with their names in lower case. The values of repeated fields are joined (RFC 9110, section
    /// 5.3).
    package var headers: [String: String] {
        var headers: [String: String] = [:]
        for index in 0..<fields.count {
            let field = fields[index]
            let name = String(decoding: ASCII.lowercased(bytes[field.name.offset(by: 0)]), as: UTF8.self)
            let value = String(decoding: bytes[field.value.offset(by: 0)], as: UTF8.self)
            headers[name] = headers[name].map { "\($0), \(value)" } ?? value
        }
        return headers
    }

    /// Whether a response with this status or to this method has no content (RFC 9112, section 6.3, rule 1).
    private var hasNoContent: Bool { answersHEAD || status == 204 || status == 304 }

    /// Whether the end of the connection ends the content, which has no other length (RFC 9112, section 6.3, rule 8).
    private var endsWithConnection: Bool { !message.head.isChunked && message.head.contentLength == nil }

    /// Parses `HTTP/1.x SP 3DIGIT [SP reason]`. Interim responses (1xx) are rejected: no request here asks for one.
    private static func status(_ line: Span<UInt8>) throws(HTTPFailure) -> (Int, HTTPVersion) {
        guard line.count >= 12, line.extracting(0..<7).equals("HTTP/1."), line[8] == ASCII.space,
            line.count == 12 || line[12] == ASCII.space, line[7] == ASCII.zero || line[7] == ASCII.zero + 1
        else { throw .malformedRequestLine }
        guard let status = Int(decimal: line.extracting(9..<12), in: 200...599) else { throw .malformedRequestLine }
        return (status, line[7] == ASCII.zero ? .http1_0 : .http1_1)
    }
}
