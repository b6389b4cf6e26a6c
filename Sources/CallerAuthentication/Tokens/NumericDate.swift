import DataFormats

/// A time in a token: seconds since 1970, optionally with a fraction (RFC 7519 section 2).
enum NumericDate {
    /// Up to the end of the year 9999. Later times are mistakes, such as milliseconds.
    private static let validSeconds = 0.0...253_402_300_799

    /// The time in seconds, rounded up; nil if the value is not a number or out of range.
    ///
    /// The current time is a whole number of seconds, so rounding up does not change whether it is before this time.
    static func seconds(_ value: JSONValue) -> Int64? {
        // A number that overflows `Double` becomes infinite, which is out of range.
        guard case .number(let digits) = value, let number = Double(String(decoding: digits, as: UTF8.self)),
            validSeconds.contains(number)
        else { return nil }
        return Int64(number.rounded(.up))
    }
}
