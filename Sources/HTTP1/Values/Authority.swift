import Text

/// `uri-host [ ":" port ]` (RFC 9110 7.2, RFC 3986 3.2), without user information; an empty host is refused.
enum Authority {
    static func isWellFormed(_ text: Span<UInt8>) -> Bool {
        var index = 0
        guard !text.isEmpty else { return false }
        if text[0] == ASCII.leftBracket {
            index = text.position(of: ASCII.rightBracket, from: 0)
            guard index < text.count, isIPv6(text, 1, index) else { return false }
            index += 1
        } else {
            index = text.runEnd(from: 0, of: ASCII.isRegisteredName)
            guard index > 0 else { return false }
        }
        return index == text.count || (text[index] == ASCII.colon && isPort(text.extracting((index + 1)...)))
    }

    /// RFC 4291 2.2: eight groups of one to four digits, one run of groups left out as `::`, an IPv4 address as the tail.
    private static func isIPv6(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
        var groups = 0
        var isCompressed = false
        var index = start
        if index + 1 < end, bytes[index] == ASCII.colon, bytes[index + 1] == ASCII.colon {
            isCompressed = true
            index += 2
        }
        while index < end {
            let group = index
            while index < end, bytes[index].hexadecimalValue != nil { index += 1 }
            if index < end, bytes[index] == ASCII.dot {
                guard isIPv4(bytes, group, end) else { return false }
                groups += 2
                index = end
                break
            }
            guard 1...4 ~= index - group else { return false }
            groups += 1
            guard index < end else { break }
            guard bytes[index] == ASCII.colon else { return false }
            index += 1
            if index < end, bytes[index] == ASCII.colon {
                guard !isCompressed else { return false }
                isCompressed = true
                index += 1
            } else if index == end {
                return false
            }
        }
        return isCompressed ? groups <= 7 : groups == 8
    }

    /// Four decimal octets without leading zeros.
    private static func isIPv4(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
        var octets = 0
        var index = start
        while index < end {
            let octet = index
            while index < end, ASCII.isDigit(bytes[index]) { index += 1 }
            guard Int(decimal: bytes.extracting(octet..<index), in: 0...255) != nil,
                index - octet == 1 || bytes[octet] != ASCII.zero
            else { return false }
            octets += 1
            if index < end {
                guard bytes[index] == ASCII.dot, index + 1 < end else { return false }
                index += 1
            }
        }
        return octets == 4
    }

    static func isEscape(_ bytes: Span<UInt8>, _ index: Int, _ end: Int) -> Bool {
        index + 2 < end && UInt8(hexadecimal: bytes[index + 1], bytes[index + 2]) != nil
    }

    /// `*DIGIT` up to 65535; the grammar allows none.
    private static func isPort(_ text: Span<UInt8>) -> Bool {
        text.isEmpty || Int(decimal: text, in: 0...65_535) != nil
    }
}
