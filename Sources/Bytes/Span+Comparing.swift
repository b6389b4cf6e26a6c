extension Span<UInt8> {
    /// Whether these are exactly the bytes of a text.
    @inlinable @inline(__always)
    public func equals(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        // unsafe: the text lives as long as the program, and has as many bytes as this span.
        let bytes = unsafe text.utf8Start
        for index in indices where unsafe self[index] != bytes[index] { return false }
        return true
    }

    /// Whether these are the bytes of a text, ASCII letters compared without regard to case.
    ///
    /// - Parameter lowercase: in lower case.
    @inlinable @inline(__always)
    public func equalsIgnoringCase(_ lowercase: StaticString) -> Bool {
        guard count == lowercase.utf8CodeUnitCount else { return false }
        // unsafe: the text lives as long as the program, and has as many bytes as this span.
        let bytes = unsafe lowercase.utf8Start
        for index in indices where unsafe Self.lowercased(self[index]) != bytes[index] { return false }
        return true
    }

    /// Whether the bytes begin with a text.
    @inlinable @inline(__always)
    public func starts(with text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount && extracting(first: text.utf8CodeUnitCount).equals(text)
    }

    /// Whether two spans hold the same bytes.
    @inlinable
    public func equals(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }

    /// Whether an array holds the same bytes.
    @inlinable
    public func equals(_ other: [UInt8]) -> Bool { equals(other.span) }

    /// Whether these bytes come after others in a dictionary's order.
    @inlinable
    public func follows(_ other: [UInt8]) -> Bool {
        for index in 0..<Swift.min(count, other.count) where self[index] != other[index] {
            return self[index] > other[index]
        }
        return count > other.count
    }

    @inlinable @inline(__always)
    static func lowercased(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }
}
