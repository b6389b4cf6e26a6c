/// Nothing is never appended: the standard library would write the count of an empty array, which all empty arrays share,
/// and many threads would write there at once.
extension [UInt8] {
    /// A copy of some bytes.
    @inlinable
    package init(copying bytes: Span<UInt8>) {
        // Appended: `init(capacity:initializingWith:)` looks the array's type up each time.
        self = []
        append(bytes)
    }

    /// Appends a copy of some bytes without counting a reference, as appending an array does.
    @inlinable
    package mutating func append(_ bytes: Span<UInt8>) {
        guard !bytes.isEmpty else { return }
        append(addingCapacity: bytes.count) { $0.append(bytes) }
    }

    /// Appends a copy of some bytes.
    @inlinable
    package mutating func append(_ bytes: borrowing [UInt8]) { append(bytes.span) }

    /// Appends a text known at compile time.
    @inlinable
    package mutating func append(_ text: StaticString) {
        guard text.utf8CodeUnitCount > 0 else { return }
        append(addingCapacity: text.utf8CodeUnitCount) { $0.append(text) }
    }

    /// Appends a number in decimal.
    package mutating func append(decimal number: Int) {
        append(addingCapacity: OutputSpan<UInt8>.longestDecimal) { $0.append(decimal: number) }
    }

    /// Appends two lower-case hexadecimal digits for every byte.
    @inlinable
    package mutating func append(hexadecimal bytes: Span<UInt8>) {
        guard !bytes.isEmpty else { return }
        append(addingCapacity: 2 * bytes.count) { $0.append(hexadecimal: bytes) }
    }
}
