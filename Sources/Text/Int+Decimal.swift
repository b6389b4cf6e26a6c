extension Int {
    /// Reads a decimal number: ASCII digits only, at least one, leading zeros allowed.
    ///
    /// - Parameter range: the numbers to accept
    /// - Returns: nil for an empty text, any other character (also a sign or a blank) and a number outside the range.
    package init?(decimal digits: Span<UInt8>, in range: ClosedRange<Int> = 0 ... .max) {
        guard !digits.isEmpty else { return nil }
        var value = 0
        for index in digits.indices {
            guard ASCII.isDigit(digits[index]) else { return nil }
            let (product, productOverflows) = value.multipliedReportingOverflow(by: 10)
            let (sum, sumOverflows) = product.addingReportingOverflow(Int(digits[index] - ASCII.zero))
            guard !productOverflows, !sumOverflows else { return nil }
            value = sum
        }
        guard range.contains(value) else { return nil }
        self = value
    }
}
