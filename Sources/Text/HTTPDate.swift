/// Dates in HTTP header fields (RFC 9110 section 5.6.7).
public enum HTTPDate {
    // In the order of days since 1970-01-01, a Thursday.
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    /// Fifty years of the Gregorian calendar, in seconds.
    private static let fiftyYears: Int64 = 1_577_847_600

    /// Formats a time as IMF-fixdate, the form to send: `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// - Parameter seconds: since 1970, up to the year 9999; a negative value counts as 0.
    public static func text(secondsSince1970 seconds: Int64) -> [UInt8] {
        let time = CivilTime(secondsSince1970: max(0, seconds))
        var text = ByteBuffer(capacity: 29)
        text.append(utf8: weekdays[time.date.daysSince1970 % 7])
        text.append(", ")
        text.append(twoDigits: time.date.day)
        text.append(ASCII.space)
        text.append(utf8: months[time.date.month - 1])
        text.append(ASCII.space)
        text.append(year: time.date)
        text.append(ASCII.space)
        text.append(clock: time, separator: ASCII.colon)
        text.append(" GMT")
        return text.bytes
    }

    /// Parses any of the three forms. Ignores the name of the day and the case of letters.
    ///
    /// - Parameter now: seconds since 1970. A two-digit year that would be more than 50 years ahead is in the past.
    /// - Returns: seconds since 1970; nil for anything else, including a day or time that does not exist.
    public static func secondsSince1970(of text: [UInt8], now: Int64) -> Int64? {
        let words = ASCII.lowercased(text).split { $0 == ASCII.space || $0 == ASCII.comma }
        switch words.count {
        // Sun, 06 Nov 1994 08:49:37 GMT
        case 6 where words[5].elementsEqual("gmt".utf8):
            return seconds(day: words[1], month: words[2], year: number(words[3], digits: 4), clock: words[4])
        // Sun Nov  6 08:49:37 1994
        case 5:
            return seconds(day: words[2], month: words[1], year: number(words[4], digits: 4), clock: words[3])
        // Sunday, 06-Nov-94 08:49:37 GMT
        case 4 where words[3].elementsEqual("gmt".utf8):
            let parts = words[1].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            guard parts.count == 3, let year = number(parts[2], digits: 2),
                let recent = seconds(day: parts[0], month: parts[1], year: 2000 + year, clock: words[2])
            else { return nil }
            guard recent - now > fiftyYears else { return recent }
            return seconds(day: parts[0], month: parts[1], year: 1900 + year, clock: words[2])
        default: return nil
        }
    }

    private static func seconds(
        day: ArraySlice<UInt8>, month: ArraySlice<UInt8>, year: Int?, clock: ArraySlice<UInt8>
    ) -> Int64? {
        let clock = clock.split(separator: ASCII.colon, omittingEmptySubsequences: false)
        guard 1...2 ~= day.count, let day = Int(decimal: day.span), clock.count == 3, let year,
            let month = months.firstIndex(where: { $0.lowercased().utf8.elementsEqual(month) }),
            let date = CivilDate(year: year, month: month + 1, day: day),
            let hour = number(clock[0], digits: 2), let minute = number(clock[1], digits: 2),
            let second = number(clock[2], digits: 2)
        else { return nil }
        return CivilTime(date, hour: hour, minute: minute, second: second)?.secondsSince1970
    }

    private static func number(_ text: ArraySlice<UInt8>, digits: Int) -> Int? {
        text.count == digits ? Int(decimal: text.span) : nil
    }
}
