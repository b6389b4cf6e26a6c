import Text

extension SigningTime {
    /// Parses the format of `X-Amz-Date`, `YYYYMMDD'T'HHMMSS'Z'`. Returns `nil` for any other text.
    public init?(basic text: some Collection<UInt8>) {
        var rest = DigitReader(text)
        guard let date = rest.date(separator: nil), rest.take(0x54),
            let time = rest.time(on: date, separator: nil), rest.take(0x5a), rest.isAtEnd
        else { return nil }
        self.init(time, offset: 0)
    }

    /// Parses RFC 3339, for example `2013-05-24T02:00:00.25+02:00`. Fractions of a second are truncated.
    ///
    /// Returns `nil` for any other text, for leap seconds, and for times outside `representable`.
    public init?(rfc3339 text: String) {
        var rest = DigitReader(Array(text.utf8))
        guard let date = rest.date(separator: 0x2d), rest.take(0x54) || rest.take(0x74),
            let time = rest.time(on: date, separator: 0x3a), rest.skipFraction(), let offset = rest.offset(),
            rest.isAtEnd
        else { return nil }
        self.init(time, offset: offset)
    }

    private init?(_ time: CivilTime, offset: Int) {
        let seconds = time.secondsSince1970 - Int64(offset)
        guard Self.representable.contains(seconds) else { return nil }
        self.init(secondsSince1970: seconds)
    }
}

/// Reads the fixed-width fields of a date and time.
private struct DigitReader {
    private var rest: ArraySlice<UInt8>

    init(_ text: some Collection<UInt8>) {
        rest = Array(text)[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    mutating func date(separator: UInt8?) -> CivilDate? {
        guard let year = number(digits: 4), skip(separator), let month = number(digits: 2), skip(separator),
            let day = number(digits: 2)
        else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    /// Returns `nil` for a leap second too: POSIX time cannot represent it.
    mutating func time(on date: CivilDate, separator: UInt8?) -> CivilTime? {
        guard let hour = number(digits: 2), skip(separator), let minute = number(digits: 2), skip(separator),
            let second = number(digits: 2)
        else { return nil }
        return CivilTime(date, hour: hour, minute: minute, second: second)
    }

    mutating func skipFraction() -> Bool {
        guard take(0x2e) else { return true }
        let digits = rest.prefix(while: ASCII.isDigit)
        rest.removeFirst(digits.count)
        return !digits.isEmpty
    }

    /// Reads the offset from UTC in seconds, positive to the east.
    mutating func offset() -> Int? {
        if take(0x5a) || take(0x7a) { return 0 }
        let sign = take(0x2b) ? 1 : take(0x2d) ? -1 : 0
        guard sign != 0, let hours = number(digits: 2), hours < 24, take(0x3a), let minutes = number(digits: 2),
            minutes < 60
        else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }

    private mutating func skip(_ separator: UInt8?) -> Bool {
        separator.map { take($0) } ?? true
    }

    private mutating func number(digits: Int) -> Int? {
        let text = rest.prefix(digits)
        guard text.count == digits, let value = Int(decimal: text.span) else { return nil }
        rest.removeFirst(digits)
        return value
    }
}
