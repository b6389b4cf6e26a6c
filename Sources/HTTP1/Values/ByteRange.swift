import Text

/// A range of a message's bytes, relative to its first byte, so it stays valid when the message moves to another
/// buffer.
package struct ByteRange: Sendable, Equatable {
    package var start: UInt32 = 0
    package var end: UInt32 = 0

    package init() {}

    /// Creates a range; `HTTPLimits` bounds messages far below 4 GiB, so 32 bits suffice.
    package init(_ start: Int, _ end: Int) {
        self.start = UInt32(truncatingIfNeeded: start)
        self.end = UInt32(truncatingIfNeeded: end)
    }

    /// Creates a range from one that is relative to `base`.
    init(_ range: Range<Int>, from base: Int) { self.init(base + range.lowerBound, base + range.upperBound) }

    package var count: Int { Int(end) - Int(start) }
    package var isEmpty: Bool { start == end }

    /// Returns the range in a buffer where the message begins at `base`.
    @inlinable
    package func offset(by base: Int) -> Range<Int> { (base + Int(start))..<(base + Int(end)) }
}

extension Span<UInt8> {
    /// Whether all bytes are token characters (RFC 9110 5.6.2).
    var isToken: Bool {
        for index in indices where !ASCII.isToken(self[index]) { return false }
        return true
    }

    /// Compares without regard to ASCII case; `lowercase` must be lower-case.
    package func matches(_ range: ByteRange, _ lowercase: StaticString) -> Bool {
        extracting(Int(range.start)..<Int(range.end)).equalsIgnoringCase(lowercase)
    }

    /// Returns `range` without spaces and tabs at either end.
    package func trimmed(_ range: Range<Int>) -> ByteRange {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, ASCII.isBlank(self[start]) { start += 1 }
        while end > start, ASCII.isBlank(self[end - 1]) { end -= 1 }
        return ByteRange(start, end)
    }
}
