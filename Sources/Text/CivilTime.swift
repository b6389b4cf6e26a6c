/// A second of UTC as the calendar and the clock name it.
package struct CivilTime: Equatable {
    /// The day.
    package let date: CivilDate
    /// 0 to 23.
    package let hour: Int
    /// 0 to 59.
    package let minute: Int
    /// 0 to 59: POSIX time has no leap seconds.
    package let second: Int

    /// The time so many seconds after 1970-01-01T00:00:00Z; before it if negative.
    package init(secondsSince1970 seconds: Int64) {
        var (days, secondOfDay) = Int(seconds).quotientAndRemainder(dividingBy: Self.secondsOfDay)
        if secondOfDay < 0 { (days, secondOfDay) = (days - 1, secondOfDay + Self.secondsOfDay) }
        date = CivilDate(daysSince1970: days)
        hour = secondOfDay / 3600
        minute = secondOfDay / 60 % 60
        second = secondOfDay % 60
    }

    /// A day and a time of day; nil if no clock shows that time.
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
