extension Span<UInt8> {
    /// Whether these are exactly the bytes of a text.
    @inlinable @inline(__always)
    package func equals(_ text: StaticString) -> Bool { matches(text) { _ in 0 } }

    /// Whether these are the bytes of a text, ASCII letters compared without regard to case.
    ///
    /// - Parameter lowercase: ASCII in lower case.
    @inlinable @inline(__always)
    package func equalsIgnoringCase(_ lowercase: StaticString) -> Bool {
        matches(lowercase) { text in
            // The high bit of each byte from `a` on, but for those behind `z`; two bits lower is what case changes.
            ((text &+ 0x1F1F_1F1F_1F1F_1F1F) & ~(text &+ 0x0505_0505_0505_0505) & 0x8080_8080_8080_8080) >> 2
        }
    }

    /// Compares with a text, eight bytes at a time. The text is known at compile time, and so is what follows from it.
    ///
    /// - Parameter ignored: which bits may differ, given the text's bytes; none of a byte that is zero.
    @inlinable @inline(__always)
    package func matches(_ text: StaticString, butFor ignored: (UInt64) -> UInt64) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        // unsafe: the text lives as long as the program, and the count is its own.
        let text = unsafe Span(_unsafeStart: text.utf8Start, count: text.utf8CodeUnitCount)
        var difference: UInt64 = 0
        var index = 0
        while text.count - index >= 8 {
            let expected: UInt64 = text.word(at: index)
            difference |= (word(at: index) ^ expected) & ~ignored(expected)
            index += 8
        }
        if index > 0, index < text.count {
            // The rest of a longer text is compared with what comes before it, as one word.
            let expected: UInt64 = text.word(at: text.count - 8)
            difference |= (word(at: text.count - 8) ^ expected) & ~ignored(expected)
            index = text.count
        }
        while index < text.count {
            let expected = UInt64(text[index])
            difference |= (UInt64(self[index]) ^ expected) & ~ignored(expected)
            index += 1
        }
        return difference == 0
    }

    /// Whether the bytes begin with a text.
    @inlinable @inline(__always)
    package func starts(with text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount && extracting(first: text.utf8CodeUnitCount).equals(text)
    }

    /// Whether the bytes begin with a text, ASCII letters compared without regard to case.
    ///
    /// - Parameter lowercase: ASCII in lower case.
    package func startsIgnoringCase(with lowercase: StaticString) -> Bool {
        count >= lowercase.utf8CodeUnitCount
            && extracting(first: lowercase.utf8CodeUnitCount).equalsIgnoringCase(lowercase)
    }

    /// Whether two spans hold the same bytes.
    @inlinable
    package func equals(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }

    /// Whether an array holds the same bytes.
    @inlinable
    package func equals(_ other: [UInt8]) -> Bool { equals(other.span) }

    /// Whether these bytes come after others in a dictionary's order.
    @inlinable
    package func follows(_ other: [UInt8]) -> Bool {
        for index in 0..<Swift.min(count, other.count) where self[index] != other[index] {
            return self[index] > other[index]
        }
        return count > other.count
    }
}
