extension [UInt8] {
    /// Appends a text's UTF-8; a literal costs no allocation.
    mutating func append(_ text: String) {
        append(contentsOf: text.utf8)
    }

    /// Appends a number that is not negative, in decimal.
    mutating func append(decimal number: Int) {
        if number >= 10 { append(decimal: number / 10) }
        append(0x30 + UInt8(number % 10))
    }
}
