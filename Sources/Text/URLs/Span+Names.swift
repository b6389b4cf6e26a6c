extension Span<UInt8> {
    /// Returns the end of the path that starts at `start` (RFC 3986 section 3.3).
    public func pathEnd(from start: Int) -> Int { runEnd(from: start, of: ASCII.isPath) }

    /// Returns the end of the registered name that starts at `start` (RFC 3986 section 3.2.2).
    func registeredNameEnd(from start: Int) -> Int { runEnd(from: start, of: ASCII.isRegisteredName) }

    /// Returns the end of a run of allowed characters and percent escapes (RFC 3986 section 2.1).
    private func runEnd(from start: Int, of isAllowed: (UInt8) -> Bool) -> Int {
        var index = start
        while index < count {
            if isAllowed(self[index]) {
                index += 1
            } else if self[index] == ASCII.percent, isEscape(at: index) {
                index += 3
            } else {
                break
            }
        }
        return index
    }

    private func isEscape(at index: Int) -> Bool {
        index + 2 < count && UInt8(hexadecimal: self[index + 1], self[index + 2]) != nil
    }

    /// Whether the bytes are a host name that no resolver takes for an address (RFC 1123 section 2.1): at most 253
    /// bytes of labels, the last of which is not a number, unlike `127.1`. Underscores are allowed: container networks
    /// use them.
    public var isHostName: Bool {
        guard 1...253 ~= count else { return false }
        var start = 0
        while true {
            let end = position(of: ASCII.dot, from: start)
            let label = extracting(start..<end)
            guard label.isHostLabel(allowsUnderscore: true) else { return false }
            guard end < count else { return !label.isNumber }
            start = end + 1
        }
    }

    /// Whether the bytes are 1 to 63 letters, digits and inner hyphens (RFC 1123 section 2.1).
    public func isHostLabel(allowsUnderscore: Bool = false) -> Bool {
        guard 1...63 ~= count, self[0] != ASCII.hyphen, self[count - 1] != ASCII.hyphen else { return false }
        for index in indices {
            let byte = self[index]
            let isUnderscore = allowsUnderscore && byte == ASCII.underscore
            guard ASCII.isAlphanumeric(byte) || byte == ASCII.hyphen || isUnderscore else { return false }
        }
        return true
    }

    /// Whether a resolver might parse the label as a number: decimal digits, or anything after `0x`.
    private var isNumber: Bool {
        if startsIgnoringCase(with: "0x") { return true }
        for index in indices where !ASCII.isDigit(self[index]) { return false }
        return true
    }
}
