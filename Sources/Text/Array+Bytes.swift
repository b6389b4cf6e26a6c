extension [UInt8] {
    /// Creates an array with a copy of some bytes.
    public init(copying bytes: Span<UInt8>) {
        // unsafe: the pointer is used only inside the closure.
        self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }

    /// Appends a copy of some bytes.
    public mutating func append(_ bytes: Span<UInt8>) {
        // unsafe: the pointer is used only inside the closure.
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }

    /// Appends a copy of some bytes.
    public mutating func append(_ bytes: borrowing [UInt8]) { append(bytes.span) }

    /// Appends a string literal.
    public mutating func append(_ text: StaticString) {
        // unsafe: the literal lives as long as the program, and the count is its own.
        unsafe append(Span(_unsafeStart: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a number in decimal.
    public mutating func append(decimal number: Int) {
        if number < 0 { append(ASCII.hyphen) }
        append(digitsOf: number.magnitude)
    }

    private mutating func append(digitsOf number: UInt) {
        if number >= 10 { append(digitsOf: number / 10) }
        append(ASCII.zero + UInt8(truncatingIfNeeded: number % 10))
    }
}

extension [UInt8] {
    /// Returns the text without surrounding blanks, and with every run of spaces and tabs replaced by one space.
    public func collapsingBlanks() -> [UInt8] {
        guard contains(where: ASCII.isBlank) else { return self }
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

extension [String] {
    /// The elements as a list for a message: `a`, `a or b`, `a, b or c`.
    public var alternatives: String {
        guard let last, count > 1 else { return joined() }
        return dropLast().joined(separator: ", ") + " or " + last
    }
}

extension ArraySlice<UInt8> {
    /// Returns the slice without the leading and trailing bytes that satisfy a predicate.
    ///
    /// - Parameter isTrimmed: the predicate, such as `ASCII.isBlank`.
    public func trimming(_ isTrimmed: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        var rest = drop(while: isTrimmed)
        while let last = rest.last, isTrimmed(last) { rest.removeLast() }
        return rest
    }
}
