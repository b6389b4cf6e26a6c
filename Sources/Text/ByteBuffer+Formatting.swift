/// Numbers, dates and times.
extension ByteBuffer {
    /// Appends a number in decimal.
    public mutating func append(decimal number: Int) {
        if number < 0 { append(ASCII.hyphen) }
        var digits = InlineArray<20, UInt8>(repeating: ASCII.zero)
        var (start, rest) = (digits.count, number.magnitude)
        repeat {
            start -= 1
            digits[start] += UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
        append(digits.span.extracting(start...))
    }

    /// Appends two decimal digits.
    ///
    /// - Parameter number: 0 to 99.
    mutating func append(twoDigits number: Int) {
        let number = UInt8(truncatingIfNeeded: number)
        append(ASCII.zero + number / 10)
        append(ASCII.zero + number % 10)
    }

    /// Appends two lowercase hexadecimal digits for each byte.
    public mutating func append(hexadecimal bytes: Span<UInt8>) {
        for index in bytes.indices {
            append(Hexadecimal.digit(bytes[index] >> 4))
            append(Hexadecimal.digit(bytes[index] & 0x0F))
        }
    }

    /// Appends a year of four digits, a month and a day of two: 8 bytes, or 10 with separators.
    ///
    /// - Parameter separator: the byte between them; nil for none.
    public mutating func append(_ date: CivilDate, separator: UInt8? = nil) {
        append(year: date)
        if let separator { append(separator) }
        append(twoDigits: date.month)
        if let separator { append(separator) }
        append(twoDigits: date.day)
    }

    /// Appends the last four digits of the year.
    mutating func append(year date: CivilDate) {
        append(twoDigits: date.year / 100 % 100)
        append(twoDigits: date.year % 100)
    }

    /// Appends hour, minute and second, two digits each: 6 bytes, or 8 with separators.
    ///
    /// - Parameter separator: the byte between them; nil for none.
    public mutating func append(clock time: CivilTime, separator: UInt8? = nil) {
        append(twoDigits: time.hour)
        if let separator { append(separator) }
        append(twoDigits: time.minute)
        if let separator { append(separator) }
        append(twoDigits: time.second)
    }
}
