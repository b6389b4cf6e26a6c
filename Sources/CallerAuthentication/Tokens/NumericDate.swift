import DataFormats

/// The times in a token: seconds since 1970, fractions allowed (RFC 7519 section 2).
enum NumericDate {
    /// To the end of the year 9999; what lies beyond is a mistake, such as milliseconds.
    private static let representable = 0.0...253_402_300_799

    /// The number in whole seconds, rounded up; nil for what is no number or out of range.
    ///
    /// Now is known in whole seconds. A whole number lies before a fraction exactly when it lies before the next whole
    /// number, so rounding up changes no comparison with it.
    static func seconds(_ value: JSONValue) -> Int64? {
        // A number of too many digits or too great an exponent becomes infinite, and so is out of range.
        guard case .number(let digits) = value, let number = Double(String(decoding: digits, as: UTF8.self)),
            representable.contains(number)
        else { return nil }
        return Int64(number.rounded(.up))
    }
}
