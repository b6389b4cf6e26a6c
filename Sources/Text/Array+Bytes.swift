/// Each method skips empty input. `append(addingCapacity:)` would otherwise store a count in the storage that all empty
/// arrays share, and many threads would write to it at the same time.
extension [UInt8] {
    /// Creates an array with a copy of some bytes.
    package init(copying bytes: Span<UInt8>) {
        self = []
        append(bytes)
    }

    /// Appends a copy of some bytes.
    @inlinable
    package mutating func append(_ bytes: Span<UInt8>) {
        guard !bytes.isEmpty else { return }
        append(addingCapacity: bytes.count) { $0.append(bytes) }
    }

    /// Appends a copy of some bytes.
    @inlinable
    package mutating func append(_ bytes: borrowing [UInt8]) { append(bytes.span) }

    /// Appends a string literal.
    @inlinable
    package mutating func append(_ text: StaticString) {
        guard text.utf8CodeUnitCount > 0 else { return }
        append(addingCapacity: text.utf8CodeUnitCount) { $0.append(text) }
    }

    /// Appends a number in decimal.
    package mutating func append(decimal number: Int) {
        append(addingCapacity: OutputSpan<UInt8>.longestDecimal) { $0.append(decimal: number) }
    }

    /// Appends two lowercase hexadecimal digits for each byte.
    package mutating func append(hexadecimal bytes: Span<UInt8>) {
        guard !bytes.isEmpty else { return }
        append(addingCapacity: 2 * bytes.count) { $0.append(hexadecimal: bytes) }
    }
}
