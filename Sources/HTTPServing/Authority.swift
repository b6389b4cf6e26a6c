/// `uri-host [ ":" port ]` (RFC 9110 7.2, RFC 3986 3.2), without user information; an empty host is refused.
enum Authority {
    static func isWellFormed(_ bytes: Span<UInt8>, _ range: ByteRange) -> Bool {
        let end = Int(range.end)
        var index = Int(range.start)
        guard index < end else { return false }
        if bytes[index] == ASCII.leftBracket {
            index += 1
            let literal = index
            while index < end,
                ASCII.hexadecimal(bytes[index]) != nil || bytes[index] == ASCII.colon || bytes[index] == 0x2E
            { index += 1 }
            guard index - literal >= 2, index < end, bytes[index] == ASCII.rightBracket else { return false }
            index += 1
        } else {
            let name = index
            while index < end, ASCII.isRegisteredName(bytes[index]) {
                guard bytes[index] != ASCII.percent || isEscape(bytes, index, end) else { return false }
                index += 1
            }
            guard index > name else { return false }
        }
        return index == end || (bytes[index] == ASCII.colon && isPort(bytes, index + 1, end))
    }

    private static func isEscape(_ bytes: Span<UInt8>, _ index: Int, _ end: Int) -> Bool {
        index + 2 < end && ASCII.hexadecimal(bytes[index + 1]) != nil && ASCII.hexadecimal(bytes[index + 2]) != nil
    }

    /// `*DIGIT` up to 65535; the grammar allows none.
    private static func isPort(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
        var port = 0
        for index in start..<end {
            guard ASCII.isDigit(bytes[index]) else { return false }
            port = port * 10 + Int(bytes[index] - ASCII.zero)
            guard port <= 65_535 else { return false }
        }
        return true
    }
}
