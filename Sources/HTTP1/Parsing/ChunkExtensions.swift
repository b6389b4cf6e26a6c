import Text

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
