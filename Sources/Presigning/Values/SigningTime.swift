package import Text

/// A point in time in whole seconds (UTC), for signatures, credential scopes and expirations.
///
/// The caller always passes the time: this module never reads a clock.
public struct SigningTime: Sendable, Hashable, Comparable {
    /// The supported range: 1970-01-01T00:00:00Z to 9999-12-31T23:59:59Z, the last second of a four-digit year.
    public static let representable: ClosedRange<Int64> = 0...253_402_300_799

    /// Seconds since 1970-01-01T00:00:00Z, without leap seconds.
    public let secondsSince1970: Int64

    /// Creates a time from POSIX seconds, clamped to `representable`.
    public init(secondsSince1970: Int64) {
        self.secondsSince1970 = min(
            max(secondsSince1970, Self.representable.lowerBound), Self.representable.upperBound)
    }

    /// Returns the time the given number of seconds later, clamped to `representable`.
    public func advanced(bySeconds seconds: Int) -> SigningTime {
        let (sum, overflow) = secondsSince1970.addingReportingOverflow(Int64(seconds))
        return SigningTime(secondsSince1970: overflow ? Self.representable.upperBound : sum)
    }

    /// Returns the seconds from this time to another. Negative if the other is earlier.
    public func seconds(until other: SigningTime) -> Int64 {
        other.secondsSince1970 - secondsSince1970
    }

    /// Returns whether the first time is earlier.
    public static func < (left: SigningTime, right: SigningTime) -> Bool {
        left.secondsSince1970 < right.secondsSince1970
    }
}

extension SigningTime {
    /// Appends the time in the format of `X-Amz-Date`, `YYYYMMDD'T'HHMMSS'Z'`.
    func appendBasic(to output: inout ByteBuffer) {
        let time = civil
        output.append(time.date)
        output.append(UInt8(ascii: "T"))
        output.append(clock: time)
        output.append(UInt8(ascii: "Z"))
    }

    /// Appends the date of the credential scope, `YYYYMMDD`.
    func appendDay(to output: inout ByteBuffer) {
        output.append(civil.date)
    }

    /// The time in the format of `X-Amz-Date`, for example `20130524T000000Z`.
    public var basicText: String {
        var text = ByteBuffer(capacity: Self.rfc3339Count)
        appendBasic(to: &text)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    /// The time in RFC 3339, for example `2013-05-24T00:00:00Z`.
    public var rfc3339Text: String {
        var text = ByteBuffer(capacity: Self.rfc3339Count)
        appendRFC3339(to: &text)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    /// The length of an RFC 3339 time in bytes.
    package static var rfc3339Count: Int { 20 }

    /// Appends the time in RFC 3339.
    package func appendRFC3339(to output: inout ByteBuffer) {
        let time = civil
        output.append(time.date, separator: UInt8(ascii: "-"))
        output.append(UInt8(ascii: "T"))
        output.append(clock: time, separator: UInt8(ascii: ":"))
        output.append(UInt8(ascii: "Z"))
    }

    /// The time as an HTTP date (RFC 9110, section 5.6.7), for example `Fri, 24 May 2013 00:00:00 GMT`.
    public var httpDateText: String {
        String(decoding: HTTPDate.text(secondsSince1970: secondsSince1970), as: UTF8.self)
    }

    /// Days since 1970-01-01. Equal for two times if they belong to the same credential scope date.
    var dayNumber: Int { Int(secondsSince1970 / 86_400) }

    private var civil: CivilTime { CivilTime(secondsSince1970: secondsSince1970) }
}

extension SigningTime: CustomStringConvertible {
    /// Same as `rfc3339Text`.
    public var description: String { rfc3339Text }
}
