/// A UTC date and time of day, to the second.
package struct CivilTime: Equatable {
    package let date: CivilDate
    /// 0 to 23.
    package let hour: Int
    /// 0 to 59.
    package let minute: Int
    /// 0 to 59; POSIX time has no leap seconds.
    package let second: Int

    /// Creates the time that many seconds after 1970-01-01T00:00:00Z, or before it if negative.
    package init(secondsSince1970 seconds: Int64) {
        var (days, secondOfDay) = Int(seconds).quotientAndRemainder(dividingBy: Self.secondsOfDay)
        if secondOfDay < 0 { (days, secondOfDay) = (days - 1, secondOfDay + Self.secondsOfDay) }
        date = CivilDate(daysSince1970: days)
        hour = secondOfDay / 3600
        minute = secondOfDay / 60 % 60
        second = secondOfDay % 60
    }

    /// Creates a time; nil unless it is between 00:00:00 and 23:59:59.
    package init?(_ date: CivilDate, hour: Int, minute: Int, second: Int) {
        guard 0..<24 ~= hour, 0..<60 ~= minute, 0..<60 ~= second else { return nil }
        (self.date, self.hour, self.minute, self.second) = (date, hour, minute, second)
    }

    /// Seconds since 1970-01-01T00:00:00Z.
    package var secondsSince1970: Int64 {
        Int64(date.daysSince1970 * Self.secondsOfDay + hour * 3600 + minute * 60 + second)
    }

    private static let secondsOfDay = 86_400
}
