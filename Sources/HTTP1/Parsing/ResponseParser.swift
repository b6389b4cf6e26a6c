import Text

/// Parses one response from input that may be split anywhere (RFC 9112, sections 4 and 6). Header fields and framing
/// follow the same strict rules as requests.
package struct ResponseParser: Sendable {
    /// The status code; 0 until the status line is complete.
    package private(set) var status = 0
    private var framing: RequestParser
    private let limits: HTTPLimits
    private let bodyLimit: Int
    private var bytes: [UInt8] = []

    /// - Parameter bodyLimit: the maximum content in bytes; more fails with `HTTPFailure.bodyTooLarge`.
    package init(bodyLimit: Int) {
        self.bodyLimit = bodyLimit
        limits = HTTPLimits()
        framing = RequestParser()
        framing.isResponse = true
        framing.bodyLimit = bodyLimit
    }

    /// The content received so far, without chunk framing.
    package var body: ArraySlice<UInt8> {
        guard framing.hasHead else { return [] }
        return framing.head.isChunked ? framing.content[...] : bytes[framing.sectionStart..<framing.position]
    }

    /// Parses the next bytes. Returns true once the response is complete; bytes after it are ignored.
    ///
    /// - Throws: `HTTPFailure` if the response is malformed or exceeds a limit. The parser must not be used afterwards.
    package mutating func take(_ more: ArraySlice<UInt8>) throws(HTTPFailure) -> Bool {
        bytes += more
        let bytes = bytes
        if framing.phase == .start {
            guard
                let line = try framing.nextLine(
                    bytes.span, longest: limits.requestLine, tooLong: .malformedRequestLine,
                    malformed: .malformedRequestLine)
            else { return false }
            (status, framing.head.version) = try Self.status(bytes.span.extracting(line))
            framing.pass(line)
            framing.sectionStart = framing.position
            framing.phase = .fields
        }
        while !framing.hasHead || !endsWithConnection {
            let step = try framing.advance(over: bytes.span, limits: limits)
            if step == .needsMore { return false }
            if step == .message { return true }
        }
        framing.position = bytes.count
        guard framing.position - framing.sectionStart <= bodyLimit else { throw .bodyTooLarge }
        return false
    }

    /// Whether the response is complete if the connection ends here.
    package var mayEnd: Bool { framing.phase == .done || (framing.hasHead && endsWithConnection) }

    /// Whether the end of the connection ends the content, which has no other length (RFC 9112, section 6.3, rule 8).
    private var endsWithConnection: Bool { !framing.head.isChunked && framing.head.contentLength == nil }

    /// Parses `HTTP/1.x SP 3DIGIT [SP reason]`. Interim responses (1xx) are rejected: no request here asks for one.
    private static func status(_ line: Span<UInt8>) throws(HTTPFailure) -> (Int, HTTPVersion) {
        guard line.count >= 12, line.extracting(0..<7).equals("HTTP/1."), line[8] == ASCII.space,
            line.count == 12 || line[12] == ASCII.space, line[7] == ASCII.zero || line[7] == ASCII.zero + 1
        else { throw .malformedRequestLine }
        guard let status = Int(decimal: line.extracting(9..<12), in: 200...599) else { throw .malformedRequestLine }
        return (status, line[7] == ASCII.zero ? .http1_0 : .http1_1)
    }
}
