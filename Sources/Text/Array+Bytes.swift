extension [UInt8] {
    /// Creates an array with a copy of some bytes.
    package init(copying bytes: Span<UInt8>) {
        // unsafe: the pointer is used only inside the closure.
        self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }

    /// Appends a copy of some bytes.
    @inlinable
    package mutating func append(_ bytes: Span<UInt8>) {
        // unsafe: the pointer is used only inside the closure.
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }

    /// Appends a copy of some bytes.
    @inlinable
    package mutating func append(_ bytes: borrowing [UInt8]) { append(bytes.span) }

    /// Appends a string literal.
    @inlinable
    package mutating func append(_ text: StaticString) {
        // unsafe: the literal lives as long as the program, and the count is its own.
        unsafe append(Span(_unsafeStart: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a number in decimal.
    package mutating func append(decimal number: Int) {
        append(contentsOf: String(number).utf8)
    }
}

extension [UInt8] {
    /// Returns the text without surrounding blanks, and with every run of spaces and tabs replaced by one space.
    package func collapsingBlanks() -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(count)
        for byte in self {
            if !ASCII.isBlank(byte) {
                output.append(byte)
            } else if let last = output.last, last != ASCII.space {
                output.append(ASCII.space)
            }
        }
        if output.last == ASCII.space { output.removeLast() }
        return output
    }
}
