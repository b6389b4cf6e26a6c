extension OutputSpan<UInt8> {
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
