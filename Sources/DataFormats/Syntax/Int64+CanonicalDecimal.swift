import Text

extension Int64 {
    /// A decimal number with an optional `-`, no `+`, no leading zeros, no fraction and no exponent; nil for any other
    /// text and for numbers out of range.
    package init?(canonicalDecimal text: Span<UInt8>) {
        let isNegative = text.starts(with: "-")
        let digits = isNegative ? text.extracting(1...) : text
        guard !digits.isEmpty, digits[0] != UInt8(ascii: "0") || digits.count == 1 else { return nil }
        var value: Int64 = 0
        for index in digits.indices {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digits[index] else { return nil }
            // Built downwards: the negative range is the longer one.
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (next, underflow) = product.subtractingReportingOverflow(Int64(digits[index] - UInt8(ascii: "0")))
            guard !overflow, !underflow else { return nil }
            value = next
        }
        guard isNegative || value != .min else { return nil }
        self = isNegative ? value : -value
    }
}
