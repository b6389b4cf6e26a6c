extension ByteBuffer {
    /// Appends a number in decimal.
    package mutating func append(decimal number: Int) {
        if number < 0 { append(ASCII.hyphen) }
        append(digitsOf: number.magnitude)
    }

    private mutating func append(digitsOf number: UInt) {
        if number >= 10 { append(digitsOf: number / 10) }
        append(ASCII.zero + UInt8(truncatingIfNeeded: number % 10))
    }

    /// Appends two decimal digits.
    ///
    /// - Parameter number: 0 to 99.
    mutating func append(twoDigits number: Int) {
        append(ASCII.zero + UInt8(truncatingIfNeeded: number / 10))
        append(ASCII.zero + UInt8(truncatingIfNeeded: number % 10))
    }

    /// Appends two lowercase hexadecimal digits for each byte.
    package mutating func append(hexadecimal bytes: Span<UInt8>) {
        for index in bytes.indices {
            append(Hexadecimal.digit(bytes[index] >> 4))
            append(Hexadecimal.digit(bytes[index] & 0x0F))
        }
    }

    /// Appends a year of four digits, a month and a day of two: 8 bytes, or 10 with separators.
    ///
    /// - Parameter separator: the byte between them; nil for none.
    package mutating func append(_ date: CivilDate, separator: UInt8? = nil) {
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
    package mutating func append(clock time: CivilTime, separator: UInt8? = nil) {
        append(twoDigits: time.hour)
        if let separator { append(separator) }
        append(twoDigits: time.minute)
        if let separator { append(separator) }
        append(twoDigits: time.second)
    }
}
