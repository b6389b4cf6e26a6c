internal import Bytes

extension RequestParser {
    /// As many hexadecimal digits as a 64-bit size can have; only zeros may stand before them.
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

    /// `1*HEXDIG [ chunk-ext ] CRLF` (RFC 9112 7.1).
    mutating func takeChunkSize(_ bytes: Span<UInt8>, _ limits: HTTPLimits) throws(HTTPFailure) -> Bool {
        guard
            let line = try nextLine(
                bytes, longest: Self.sizeDigits + limits.trailerBytes - overhead, tooLong: .trailerBytesExceeded,
                malformed: .malformedChunk)
        else { return false }
        var index = line.lowerBound
        var size: UInt64 = 0
        while index < line.upperBound, let digit = ASCII.hexadecimal(bytes[index]) {
            guard size >> 60 == 0 else { throw .malformedChunk }
            size = size << 4 | digit
            index += 1
        }
        guard index > line.lowerBound else { throw .malformedChunk }
        overhead += line.count - min(index - line.lowerBound, Self.sizeDigits)
        guard overhead <= limits.trailerBytes else { throw .trailerBytesExceeded }
        guard ChunkExtensions.isWellFormed(bytes, index..<line.upperBound) else { throw .malformedChunk }
        guard size <= UInt64(max(0, bodyLimit - bodyCount)) else { throw .bodyTooLarge }
        pass(line)
        remaining = Int(size)
        bodyCount += remaining
        phase = size == 0 ? .trailers : .chunkData
        return true
    }

    mutating func takeChunkData(_ bytes: Span<UInt8>) -> Bool {
        let taken = min(remaining, bytes.count - position)
        contentRange = position..<(position + taken)
        if use == .kept {
            // Room is not reserved: that would be exact, and move everything for each of many small chunks.
            content.append(bytes.extracting(position..<(position + taken)))
        }
        position += taken
        remaining -= taken
        guard remaining == 0 else { return false }
        phase = .chunkEnd
        return true
    }

    /// The CRLF after a chunk's data, exactly there.
    mutating func takeChunkEnd(_ bytes: Span<UInt8>) throws(HTTPFailure) -> Bool {
        if bytes.count > position, bytes[position] != ASCII.carriageReturn { throw .malformedChunk }
        guard bytes.count > position + 1 else { return false }
        guard bytes[position + 1] == ASCII.lineFeed else { throw .malformedChunk }
        position += 2
        phase = .chunkSize
        return true
    }

    /// A trailer field, checked and thrown away (RFC 9112 7.1.2), or the empty line that ends the message.
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
        overhead += line.count + 2
        guard overhead <= limits.trailerBytes else { throw .trailerBytesExceeded }
        do { _ = try Self.parseField(bytes, line) } catch { throw .malformedChunk }
        return true
    }
}
