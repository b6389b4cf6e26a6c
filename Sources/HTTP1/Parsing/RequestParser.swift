import Text

/// Parses one request at a time from bytes given in any pieces (RFC 9112, read the strictest way).
///
/// It sees the message's bytes from the first one on in every call, and remembers how far it came. A line is judged when
/// it is whole, or as soon as it has become too long or holds a control character, and a chunk's size with every digit: so
/// where the input was split changes nothing, and no byte is searched twice. After a failure it is spent.
package struct RequestParser: Sendable {
    package enum Step: Sendable, Equatable {
        /// All bytes are used; the message is not complete.
        case needsMore
        /// The first `position` bytes are an empty line before a request, to be passed over (RFC 9112 2.2).
        case emptyLine
        /// `head` is complete. Set `bodyLimit` and go on.
        case head
        /// Some content of a streamed body came: it is at `contentRange`. Go on.
        case content
        /// The message is complete: it is the first `position` bytes.
        case message
    }

    /// What becomes of the body.
    package enum BodyUse: UInt8, Sendable {
        /// It is gathered.
        case kept
        /// Each piece is shown once.
        case streamed
        /// The request was answered already: its body is read, checked, and thrown away.
        case discarded
    }

    package enum Phase: Sendable, Equatable {
        case start, fields, headDone, fixedBody, chunkSize, chunkExtensions, chunkData, chunkEnd, trailers, done
    }

    package var head = RequestHead()
    package var fields = FieldTable()
    /// Bytes of the message that are dealt with.
    package var position = 0
    package var phase = Phase.start
    /// The most content to accept; more is a failure.
    package var bodyLimit = 0
    package var use = BodyUse.kept
    /// Where the content of the last `.content` stands.
    package var contentRange = 0..<0
    /// The content of a chunked body.
    package var content: [UInt8] = []
    /// Where the fields, then the body, begin.
    var sectionStart = 0
    /// Content announced so far by chunk sizes.
    var bodyCount = 0
    /// Bytes missing from the body or chunk.
    package var remaining = 0
    /// The size of the next chunk, as far as its digits are there, and how many these are.
    var chunkSize: UInt64 = 0
    var chunkDigits = 0
    /// Bytes of chunk extensions, trailers and needless digits so far.
    var overhead = 0
    /// Whether what follows the first line belongs to a response, which has no Host.
    var isResponse = false
    /// No line ends between `position` and here.
    private var searched = 0

    /// A parser at the beginning of a message.
    package init() {}

    /// Whether the head is complete.
    package var hasHead: Bool {
        switch phase {
        case .start, .fields: false
        default: true
        }
    }

    /// Goes on to the next step. `bytes` is the message from its first byte to the last received.
    package mutating func advance(over bytes: Span<UInt8>, limits: HTTPLimits) throws(HTTPFailure) -> Step {
        while true {
            switch phase {
            case .start:
                guard try takeRequestLine(bytes, limits) else { return .needsMore }
                if phase == .start { return .emptyLine }
            case .fields:
                guard try takeFields(bytes, limits) else { return .needsMore }
                return .head
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

    /// Ready for the next message.
    package mutating func reset() {
        head = RequestHead()
        fields.removeAll()
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

    /// The line at `position` without its CRLF, once that is there; it holds no control character but tabs. What is
    /// wrong first is told first, and at once: a byte more than `longest`, or a control character that is not CRLF. So
    /// the verdict never depends on the pieces, and a client that ends its lines with CR alone is not left waiting.
    @inline(__always)
    package mutating func nextLine(
        _ bytes: Span<UInt8>, longest: Int, tooLong: HTTPFailure, malformed: HTTPFailure
    ) throws(HTTPFailure) -> Range<Int>? {
        let index = bytes.firstControl(from: max(searched, position))
        searched = index
        // An empty line may always follow, however little room is left.
        guard index - position <= max(0, longest) else { throw tooLong }
        guard index < bytes.count else { return nil }
        guard bytes[index] == ASCII.carriageReturn else { throw malformed }
        guard index + 1 < bytes.count else { return nil }
        guard bytes[index + 1] == ASCII.lineFeed else { throw malformed }
        return position..<index
    }

    /// Leaves `line` and its CRLF behind.
    mutating func pass(_ line: Range<Int>) { position = line.upperBound + 2 }

    /// Bytes after the head that no one needs any more; dropping them keeps a slow body's memory bounded.
    package var droppable: Range<Int>? {
        guard hasHead, head.isChunked || use != .kept, position > sectionStart else { return nil }
        return sectionStart..<position
    }

    /// Bytes missing from a body of known length that is kept.
    package var missingBody: Int { phase == .fixedBody && use == .kept ? remaining : 0 }

    /// Takes note that the `droppable` bytes are gone.
    package mutating func dropped() {
        position = sectionStart
        searched = sectionStart
    }
}
