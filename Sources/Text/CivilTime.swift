/// A UTC date and time of day, to the second.
public struct CivilTime: Equatable {
    /// The day in UTC.
    public let date: CivilDate
    /// 0 to 23.
    public let hour: Int
    /// 0 to 59.
    public let minute: Int
    /// 0 to 59; POSIX time has no leap seconds.
    public let second: Int

    /// Creates the time that many seconds after 1970-01-01T00:00:00Z, or before it if negative.
    public init(secondsSince1970 seconds: Int64) {
        var (days, secondOfDay) = Int(seconds).quotientAndRemainder(dividingBy: Self.secondsOfDay)
        if secondOfDay < 0 { (days, secondOfDay) = (days - 1, secondOfDay + Self.secondsOfDay) }
        date = CivilDate(daysSince1970: days)
        hour = secondOfDay / 3600
        minute = secondOfDay / 60 % 60
        second = secondOfDay % 60
    }

    /// Creates a time; nil unless it is between 00:00:00 and 23:59:59.
    public init?(_ date: CivilDate, hour: Int, minute: Int, second: Int) {
        guard 0..<24 ~= hour, 0..<60 ~= minute, 0..<60 ~= second else { return nil }
        (self.date, self.hour, self.minute, self.second) = (date, hour, minute, second)
    }

    /// Seconds since 1970-01-01T00:00:00Z.
    public var secondsSince1970: Int64 {
        Int64(date.daysSince1970 * Self.secondsOfDay + hour * 3600 + minute * 60 + second)
    }

    private static let secondsOfDay = 86_400
}

/// A day of the proleptic Gregorian calendar, convertible to and from a count of days.
public struct CivilDate: Equatable {
    /// The year; astronomical, so year 0 precedes year 1.
    public let year: Int
    /// 1 to 12.
    public let month: Int
    /// 1 to 31.
    public let day: Int

    /// Creates the day that many days after 1970-01-01, or before it if negative.
    public init(daysSince1970 days: Int) {
        // Years start in March here, so the leap day ends its year and a linear formula gives the month.
        let shifted = days + 719_468  // days from 0000-03-01 to 1970-01-01
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Creates a day; nil if the calendar does not have it.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), day >= 1, day <= Self.days(inMonth: month, of: year) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Days since 1970-01-01.
    public var daysSince1970: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        default: 31
        }
    }
}
