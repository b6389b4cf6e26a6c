extension Int {
    /// Parses a decimal number: ASCII digits only, at least one, leading zeros allowed.
    ///
    /// - Parameter range: the accepted numbers.
    /// - Returns: nil for an empty text, any other character (including a sign or a blank), and a number out of range.
    public init?(decimal digits: Span<UInt8>, in range: ClosedRange<Int> = 0 ... .max) {
        guard let negated = Self.negated(digits), negated != .min, range.contains(-negated) else { return nil }
        self = -negated
    }

    /// Parses a decimal number in canonical form: an optional `-`, then digits without leading zeros; no `+`, fraction
    /// or exponent.
    ///
    /// - Returns: nil for any other text and for a number out of range.
    public init?(canonicalDecimal text: Span<UInt8>) {
        let isNegative = text.starts(with: "-")
        let digits = isNegative ? text.extracting(1...) : text
        guard digits.count == 1 || !digits.starts(with: "0"), let negated = Self.negated(digits),
            isNegative || negated != .min
        else { return nil }
        self = isNegative ? negated : -negated
    }

    /// Returns the negated value of the digits. The negative range includes `Int.min`, the positive one does not.
    private static func negated(_ digits: Span<UInt8>) -> Int? {
        guard !digits.isEmpty else { return nil }
        var value = 0
        for index in digits.indices {
            guard ASCII.isDigit(digits[index]) else { return nil }
            let (product, productOverflows) = value.multipliedReportingOverflow(by: 10)
            let (difference, differenceOverflows) = product.subtractingReportingOverflow(
                Int(digits[index] - ASCII.zero))
            guard !productOverflows, !differenceOverflows else { return nil }
            value = difference
        }
        return value
    }
}
