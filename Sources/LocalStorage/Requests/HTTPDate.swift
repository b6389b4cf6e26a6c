import Presigning

/// Dates of HTTP headers, in the three forms of RFC 9110, section 5.6.7.
enum HTTPDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    /// Fifty years of the Gregorian calendar, in seconds.
    private static let fiftyYears: Int64 = 1_577_847_600

    /// The moment; nil for anything else. The name of the day is not looked at.
    ///
    /// - Parameter now: a year of two digits is taken for the past when it would lie more than fifty years ahead.
    static func parse(_ text: [UInt8], at now: SigningTime) -> SigningTime? {
        let words = text.lowercased.split { $0 == 0x20 || $0 == UInt8(ascii: ",") }.map {
            String(decoding: $0, as: UTF8.self)
        }
        // Sun, 06 Nov 1994 08:49:37 GMT
        if words.count == 6, words[5] == "gmt" { return moment(words[1], words[2], year: words[3], words[4]) }
        // Sun Nov  6 08:49:37 1994
        if words.count == 5 { return moment(words[2], words[1], year: words[4], words[3]) }
        // Sunday, 06-Nov-94 08:49:37 GMT
        guard words.count == 4, words[3] == "gmt" else { return nil }
        let date = words[1].split(separator: "-").map(String.init)
        guard date.count == 3, date[2].utf8.count == 2 else { return nil }
        guard let recent = moment(date[0], date[1], year: "20" + date[2], words[2]) else { return nil }
        guard now.seconds(until: recent) > fiftyYears else { return recent }
        return moment(date[0], date[1], year: "19" + date[2], words[2])
    }

    /// Goes through the form of `X-Amz-Date`, which the core reads strictly.
    private static func moment(_ day: String, _ month: String, year: String, _ clock: String) -> SigningTime? {
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard let month = months.firstIndex(of: month), parts.count == 3, parts.allSatisfy({ $0.utf8.count == 2 }),
            1...2 ~= day.utf8.count
        else { return nil }
        let monthText = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        let dayText = day.utf8.count == 1 ? "0" + day : day
        return SigningTime(basic: "\(year)\(monthText)\(dayText)T\(parts.joined())Z".utf8)
    }
}
