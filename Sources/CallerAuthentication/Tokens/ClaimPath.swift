package import DataFormats

/// The path of a claim: the name of a top-level claim, followed by names in nested objects.
///
/// A list of names, because claim names can contain any separator: dots, colons, whole URLs.
package struct ClaimPath: Sendable, Equatable {
    /// At least one name, UTF-8.
    package let names: [[UInt8]]

    package init(_ names: [String]) {
        self.names = names.map { Array($0.utf8) }
    }

    /// The value at this path; nil if the claims lack it.
    package func value(in claims: JSONValue) -> JSONValue? {
        var value = claims
        for name in names {
            guard case .object(let members) = value, let member = members.first(where: { $0.name == name }) else {
                return nil
            }
            value = member.value
        }
        return value
    }

    /// The non-empty string at this path; nil for any other value.
    package func text(in claims: JSONValue) -> [UInt8]? {
        guard let text = value(in: claims)?.string, !text.isEmpty else { return nil }
        return text
    }

    /// The non-empty strings at this path: a single string, or those of an array. Other elements are ignored.
    package func texts(in claims: JSONValue) -> [[UInt8]] {
        switch value(in: claims) {
        case .string(let text): text.isEmpty ? [] : [text]
        case .array(let items): items.compactMap(\.string).filter { !$0.isEmpty }
        default: []
        }
    }
}

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
