package import DataFormats
import Requests
import Text

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

    /// The values at this path: those of an array, or a single one.
    package func values(in claims: JSONValue) -> [JSONValue] {
        guard let value = value(in: claims) else { return [] }
        if case .array(let items) = value { return items }
        return [value]
    }

    /// The user's id at this path: a non-empty string or, except in `sub` (RFC 7519 section 4.1.2), a whole number.
    package func identity(in claims: JSONValue) -> [UInt8]? {
        switch value(in: claims) {
        case .number? where self == ClaimPath(["sub"]), .boolean?, nil: nil
        case let value?: try? value.claimText()
        }
    }

    /// Whether the claim is one string with spaces: `scope` (RFC 8693 section 4.2), or `scp` of some providers.
    var isScope: Bool { self == ClaimPath(["scope"]) || self == ClaimPath(["scp"]) }
}

extension JSONValue {
    /// The text of a member; nil if it is missing.
    ///
    /// - Throws: The refusal of a member that is not a string.
    func text<Refusal: Error>(_ name: String, else refusal: Refusal) throws(Refusal) -> [UInt8]? {
        guard let value = self[name] else { return nil }
        guard let text = value.string else { throw refusal }
        return text
    }

    /// Up to the end of the year 9999. Later times are mistakes, such as milliseconds.
    private static let validSeconds = 0.0...253_402_300_799

    /// The seconds since 1970 of a time in a token, which can have a fraction (RFC 7519 section 2), rounded up; nil if
    /// the value is not a number or out of range.
    ///
    /// The current time is a whole number of seconds, so rounding up does not change whether it is before this time.
    var numericDate: Int64? {
        // A number that overflows `Double` becomes infinite, which is out of range.
        guard case .number(let digits) = self, let number = Double(String(decoding: digits, as: UTF8.self)),
            Self.validSeconds.contains(number)
        else { return nil }
        return Int64(number.rounded(.up))
    }
}
