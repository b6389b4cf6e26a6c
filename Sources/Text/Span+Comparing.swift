extension Span<UInt8> {
    /// Whether the bytes equal a string literal.
    @inlinable @inline(__always)
    public func equals(_ text: StaticString) -> Bool { matches(text) { _ in 0 } }

    /// Whether the bytes equal a string literal, ignoring the case of ASCII letters.
    ///
    /// - Parameter lowercase: lowercase ASCII.
    @inlinable @inline(__always)
    public func equalsIgnoringCase(_ lowercase: StaticString) -> Bool {
        matches(lowercase) { text in
            // Sets the high bit of each byte from `a` to `z`, then moves it to 0x20, the bit in which the cases differ.
            ((text &+ 0x1F1F_1F1F_1F1F_1F1F) & ~(text &+ 0x0505_0505_0505_0505) & 0x8080_8080_8080_8080) >> 2
        }
    }

    /// Whether the bytes equal lowercase text, ignoring the case of ASCII letters.
    public func equalsIgnoringCase(_ lowercase: Span<UInt8>) -> Bool {
        guard count == lowercase.count else { return false }
        for index in indices where ASCII.lowercased(self[index]) != lowercase[index] { return false }
        return true
    }

    /// Compares the bytes with a string literal, eight at a time.
    ///
    /// - Parameter ignored: maps eight bytes of the literal to the bits that may differ; a zero byte must map to zero.
    @inlinable @inline(__always)
    public func matches(_ text: StaticString, butFor ignored: (UInt64) -> UInt64) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        // unsafe: the literal lives as long as the program, and the count is its own.
        let text = unsafe Span(_unsafeStart: text.utf8Start, count: text.utf8CodeUnitCount)
        var difference: UInt64 = 0
        var index = 0
        while text.count - index >= 8 {
            let expected: UInt64 = text.word(at: index)
            difference |= (word(at: index) ^ expected) & ~ignored(expected)
            index += 8
        }
        if index > 0, index < text.count {
            // The last eight bytes overlap the previous word, which saves the loop below.
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

    /// Whether all bytes pass a test.
    @inlinable @inline(__always)
    public func allSatisfy(_ test: (UInt8) -> Bool) -> Bool {
        for index in indices where !test(self[index]) { return false }
        return true
    }

    /// Whether the bytes start with a string literal.
    @inlinable @inline(__always)
    public func starts(with text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount && extracting(first: text.utf8CodeUnitCount).equals(text)
    }

    /// Whether the bytes start with a string literal, ignoring the case of ASCII letters.
    ///
    /// - Parameter lowercase: lowercase ASCII.
    public func startsIgnoringCase(with lowercase: StaticString) -> Bool {
        count >= lowercase.utf8CodeUnitCount
            && extracting(first: lowercase.utf8CodeUnitCount).equalsIgnoringCase(lowercase)
    }

    /// Whether two spans hold the same bytes.
    @inlinable
    public func equals(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }

    /// Whether an array holds the same bytes.
    public func equals(_ other: [UInt8]) -> Bool { equals(other.span) }

    /// Whether these bytes sort after others in lexicographic order.
    public func follows(_ other: [UInt8]) -> Bool {
        for index in 0..<Swift.min(count, other.count) where self[index] != other[index] {
            return self[index] > other[index]
        }
        return count > other.count
    }
}
