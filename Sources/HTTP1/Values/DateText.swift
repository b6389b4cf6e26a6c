import Text

/// The text of a Date field (IMF-fixdate, RFC 9110 5.6.7), made anew only when the second changes.
package struct DateText: Sendable {
    package private(set) var bytes: [UInt8] = []
    private var seconds: Int64 = -1

    /// No text yet.
    package init() {}

    /// The text for this many seconds since 1970.
    package mutating func update(to seconds: Int64) {
        guard seconds != self.seconds else { return }
        self.seconds = seconds
        bytes = Self.text(max(0, seconds))
    }

    private static func text(_ seconds: Int64) -> [UInt8] {
        let days = Int(seconds / 86_400)
        let second = Int(seconds % 86_400)
        let (year, month, day) = civil(days)
        var text: [UInt8] = []
        text.append(contentsOf: ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][days % 7].utf8)
        text.append(contentsOf: ", ".utf8)
        pair(day, &text)
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        text.append(contentsOf: " \(months[month - 1]) \(year) ".utf8)
        pair(second / 3600, &text)
        text.append(ASCII.colon)
        pair(second / 60 % 60, &text)
        text.append(ASCII.colon)
        pair(second % 60, &text)
        text.append(contentsOf: " GMT".utf8)
        return text
    }

    /// Two digits.
    private static func pair(_ number: Int, _ text: inout [UInt8]) {
        text.append(ASCII.zero + UInt8(number / 10))
        text.append(ASCII.zero + UInt8(number % 10))
    }

    /// The date so many days after 1970-01-01 in the Gregorian calendar; years count from March, so that leap days
    /// come last.
    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }
}
