import Text

extension MessageParser {
    /// The significant hexadecimal digits of a 64-bit size; only leading zeros may exceed them.
    private static let sizeDigits = 16

    mutating func beginBody() throws(HTTPFailure) {
        if head.isChunked {
            phase = .chunkSize
        } else {
            remaining = head.contentLength ?? 0
            guard remaining <= bodyLimit else { throw .bodyTooLarge }
            phase = .fixedBody
        }
    }

    mutating func takeFixedBody(_ bytes: Span<UInt8>) -> Bool {
        let taken = min(remaining, bytes.count - position)
        contentRange = position..<(position + taken)
        position += taken
        remaining -= taken
        guard remaining == 0 else { return false }
        phase = .done
        return true
    }

    /// Reads `1*HEXDIG` (RFC 9112 7.1). It checks each digit as it arrives, so a client that does not send chunks gets
    /// its error at once and not at the end of the line.
    mutating func takeChunkSize(_ bytes: Span<UInt8>, _ limits: HTTPLimits) throws(HTTPFailure) -> Bool {
        while position < bytes.count, let digit = bytes[position].hexadecimalValue {
            guard chunkSize >> 60 == 0 else { throw .malformedChunk }
            chunkSize = chunkSize << 4 | UInt64(digit)
            chunkDigits += 1
            if chunkDigits > Self.sizeDigits { try countOverhead(1, limits) }
            position += 1
        }
        guard position < bytes.count else { return false }
        guard chunkDigits > 0, ChunkExtensions.mayFollowSize(bytes[position]) else { throw .malformedChunk }
        phase = .chunkExtensions
        return true
    }

    /// Reads `[ chunk-ext ] CRLF` (RFC 9112 7.1).
    mutating func takeChunkExtensions(_ bytes: Span<UInt8>, _ limits: HTTPLimits) throws(HTTPFailure) -> Bool {
        guard
            let line = try nextLine(
                bytes, longest: limits.trailerBytes - overhead, tooLong: .trailerBytesExceeded,
                malformed: .malformedChunk)
        else { return false }
        try countOverhead(line.count, limits)
        guard ChunkExtensions.isWellFormed(bytes, line) else { throw .malformedChunk }
        guard chunkSize <= UInt64(max(0, bodyLimit - bodyCount)) else { throw .bodyTooLarge }
        pass(line)
        remaining = Int(chunkSize)
        bodyCount += remaining
        phase = remaining == 0 ? .trailers : .chunkData
        (chunkSize, chunkDigits) = (0, 0)
        return true
    }

    private mutating func countOverhead(_ count: Int, _ limits: HTTPLimits) throws(HTTPFailure) {
        overhead += count
        guard overhead <= limits.trailerBytes else { throw .trailerBytesExceeded }
    }

    mutating func takeChunkData(_ bytes: Span<UInt8>) -> Bool {
        let taken = min(remaining, bytes.count - position)
        contentRange = position..<(position + taken)
        if use == .kept {
            reserveContent(taken)
            content.append(bytes.extracting(position..<(position + taken)))
        }
        position += taken
        remaining -= taken
        guard remaining == 0 else { return false }
        phase = .chunkEnd
        return true
    }

    /// Doubles the capacity of `content` as needed, but never beyond `bodyLimit`.
    private mutating func reserveContent(_ count: Int) {
        let needed = content.count + count
        guard needed > content.capacity else { return }
        content.reserveCapacity(max(needed, min(2 * needed, bodyLimit)))
    }

    /// Reads the CRLF that must follow a chunk's data immediately.
    mutating func takeChunkEnd(_ bytes: Span<UInt8>) throws(HTTPFailure) -> Bool {
        if bytes.count > position, bytes[position] != ASCII.carriageReturn { throw .malformedChunk }
        guard bytes.count > position + 1 else { return false }
        guard bytes[position + 1] == ASCII.lineFeed else { throw .malformedChunk }
        position += 2
        phase = .chunkSize
        return true
    }

    /// Reads a trailer field, which is validated and discarded (RFC 9112 7.1.2), or the empty line that ends the
    /// message.
    mutating func takeTrailer(_ bytes: Span<UInt8>, _ limits: HTTPLimits) throws(HTTPFailure) -> Bool {
        guard
            let line = try nextLine(
                bytes, longest: limits.trailerBytes - overhead - 2, tooLong: .trailerBytesExceeded,
                malformed: .malformedChunk)
        else { return false }
        pass(line)
        if line.isEmpty {
            phase = .done
            return true
        }
        try countOverhead(line.count + 2, limits)
        do { _ = try Self.parseField(bytes, line) } catch { throw .malformedChunk }
        return true
    }
}

/// Chunk extensions, which are validated and then ignored:
/// `*( BWS ";" BWS name [ BWS "=" BWS ( token / quoted-string ) ] )` (RFC 9112 7.1.1).
enum ChunkExtensions {
    /// Whether an extension or the end of the line may begin with `byte`.
    static func mayFollowSize(_ byte: UInt8) -> Bool {
        byte == ASCII.semicolon || ASCII.isBlank(byte) || byte == ASCII.carriageReturn
    }

    static func isWellFormed(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var index = range.lowerBound
        let end = range.upperBound
        while index < end {
            skipBlanks(bytes, &index, end)
            guard index < end, bytes[index] == ASCII.semicolon else { return false }
            index += 1
            skipBlanks(bytes, &index, end)
            guard skipToken(bytes, &index, end) else { return false }
            var next = index
            skipBlanks(bytes, &next, end)
            guard next < end, bytes[next] == ASCII.equals else { continue }
            index = next + 1
            skipBlanks(bytes, &index, end)
            guard skipToken(bytes, &index, end) || skipQuoted(bytes, &index, end) else { return false }
        }
        return true
    }

    private static func skipBlanks(_ bytes: Span<UInt8>, _ index: inout Int, _ end: Int) {
        while index < end, ASCII.isBlank(bytes[index]) { index += 1 }
    }

    private static func skipToken(_ bytes: Span<UInt8>, _ index: inout Int, _ end: Int) -> Bool {
        let start = index
        while index < end, ASCII.isToken(bytes[index]) { index += 1 }
        return index > start
    }

    private static func skipQuoted(_ bytes: Span<UInt8>, _ index: inout Int, _ end: Int) -> Bool {
        guard index < end, bytes[index] == ASCII.quote else { return false }
        index += 1
        while index < end, bytes[index] != ASCII.quote {
            if bytes[index] == ASCII.backslash { index += 1 }
            guard index < end, ASCII.isFieldContent(bytes[index]) else { return false }
            index += 1
        }
        index += 1
        return index <= end
    }
}
