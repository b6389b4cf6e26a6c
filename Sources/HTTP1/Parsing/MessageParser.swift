import Text

/// What the first line and the header fields of a message say about its framing and its connection.
package struct MessageHead: Sendable {
    package var version = HTTPVersion.http1_1
    package var contentLength: Int?
    var isChunked = false
    var expectsContinue = false
    package var hasOtherExpectation = false
    var connectionCloses = false
    var connectionKeepsAlive = false

    var hasBody: Bool { isChunked || (contentLength ?? 0) > 0 }

    /// Whether the client allows another request on the connection (RFC 9112 9.3); `close` overrides `keep-alive`.
    package var keepsAlive: Bool { !connectionCloses && (version == .http1_1 || connectionKeepsAlive) }

    /// Whether the client waits for 100 (Continue), which HTTP/1.0 does not have (RFC 9110 10.1.1).
    package var awaitsContinue: Bool { expectsContinue && version == .http1_1 && hasBody }
}

/// Parses the header fields and the body of a message, for `RequestParser` and `ResponseParser`, which parse its first
/// line (RFC 9112, in its strictest reading).
///
/// Every call passes the message from its first byte; the parser remembers its position. It checks a line when the line
/// is complete, is too long or contains a control character, and a chunk size digit by digit, so the result does not
/// depend on where the input was split. After a failure, call `reset` before parsing another message.
package struct MessageParser: Sendable {
    package enum Step: Sendable, Equatable {
        /// The message is incomplete. Continue when more bytes have arrived.
        case needsMore
        /// The first `position` bytes are an empty line before a request, which is skipped (RFC 9112 2.2).
        case emptyLine
        /// `head` is complete. Set `bodyLimit` and continue.
        case head
        /// `contentRange` is the next piece of a streamed body. Continue.
        case content
        /// The message is complete. It is the first `position` bytes.
        case message
    }

    /// How the parser handles the body.
    package enum BodyUse: UInt8, Sendable {
        /// Collects the whole body.
        case kept
        /// Returns each piece once, as `.content`.
        case streamed
        /// Validates and discards the body, because the request already has its response.
        case discarded
    }

    package enum Phase: Sendable, Equatable {
        case start, fields, headDone, fixedBody, chunkSize, chunkExtensions, chunkData, chunkEnd, trailers, done
    }

    package var head = MessageHead()
    /// The number of bytes of the message that are parsed.
    package var position = 0
    package var phase = Phase.start
    /// The maximum number of content bytes; more fails with `bodyTooLarge`.
    package var bodyLimit = 0
    package var use = BodyUse.kept
    /// The content that the last `.content` reported.
    package var contentRange = 0..<0
    /// The content of a chunked body that is kept.
    package var content: [UInt8] = []
    /// The index where the header fields begin, then where the body begins.
    var sectionStart = 0
    /// The sum of the chunk sizes so far.
    var bodyCount = 0
    /// Bytes missing from the body or from the current chunk.
    package var remaining = 0
    /// The value of the chunk size digits read so far.
    var chunkSize: UInt64 = 0
    /// The number of chunk size digits read so far.
    var chunkDigits = 0
    /// Bytes of chunk extensions, trailers and superfluous leading zeros so far.
    var overhead = 0
    /// No line ends between `position` and this index.
    private var searched = 0

    /// Creates a parser at the beginning of a message.
    package init() {}

    /// Whether the head is complete.
    package var hasHead: Bool {
        switch phase {
        case .start, .fields: false
        default: true
        }
    }

    /// Parses up to the next step of the body.
    package mutating func advance(over bytes: Span<UInt8>, limits: HTTPLimits) throws(HTTPFailure) -> Step {
        while true {
            switch phase {
            case .start, .fields: return .needsMore
            case .headDone:
                try beginBody()
            case .fixedBody:
                let isComplete = takeFixedBody(bytes)
                if use == .streamed, !contentRange.isEmpty { return .content }
                return isComplete ? .message : .needsMore
            case .chunkSize:
                guard try takeChunkSize(bytes, limits) else { return .needsMore }
            case .chunkExtensions:
                guard try takeChunkExtensions(bytes, limits) else { return .needsMore }
            case .chunkData:
                let isComplete = takeChunkData(bytes)
                if use == .streamed, !contentRange.isEmpty { return .content }
                guard isComplete else { return .needsMore }
            case .chunkEnd:
                guard try takeChunkEnd(bytes) else { return .needsMore }
            case .trailers:
                guard try takeTrailer(bytes, limits) else { return .needsMore }
            case .done:
                return .message
            }
        }
    }

    /// Prepares for the next message.
    package mutating func reset() {
        head = MessageHead()
        position = 0
        phase = .start
        use = .kept
        if !content.isEmpty { content = [] }
        sectionStart = 0
        (chunkSize, chunkDigits) = (0, 0)
        overhead = 0
        bodyCount = 0
        searched = 0
    }

    /// Returns the line at `position` without its CRLF, or nil while that is incomplete. The line contains no control
    /// character except tabs.
    ///
    /// It throws as soon as the line exceeds `longest` or contains a control character other than the CRLF, whichever
    /// comes first. A client that ends its lines with CR alone therefore gets its error at once.
    package mutating func nextLine(
        _ bytes: Span<UInt8>, longest: Int, tooLong: HTTPFailure, malformed: HTTPFailure
    ) throws(HTTPFailure) -> Range<Int>? {
        let index = bytes.positionOfControl(from: max(searched, position))
        searched = index
        // The empty line that ends a section is allowed even when the limit is used up.
        guard index - position <= max(0, longest) else { throw tooLong }
        guard index < bytes.count else { return nil }
        guard bytes[index] == ASCII.carriageReturn else { throw malformed }
        guard index + 1 < bytes.count else { return nil }
        guard bytes[index + 1] == ASCII.lineFeed else { throw malformed }
        return position..<index
    }

    /// Ends the first line of the message.
    mutating func beginFields() {
        sectionStart = position
        phase = .fields
    }

    /// Moves `position` past `line` and its CRLF.
    mutating func pass(_ line: Range<Int>) { position = line.upperBound + 2 }

    /// Parsed bytes after the head that are no longer needed. The caller drops them to bound the memory of a slow body.
    package var droppable: Range<Int>? {
        guard hasHead, head.isChunked || use != .kept, position > sectionStart else { return nil }
        return sectionStart..<position
    }

    /// The length in bytes of the content of a complete message.
    package var bodyLength: Int { head.contentLength ?? bodyCount }

    /// The bytes still missing from a kept body of known length.
    package var missingBody: Int { phase == .fixedBody && use == .kept ? remaining : 0 }

    /// Adjusts the position after the caller has removed the `droppable` bytes.
    package mutating func dropped() {
        position = sectionStart
        searched = sectionStart
    }
}
