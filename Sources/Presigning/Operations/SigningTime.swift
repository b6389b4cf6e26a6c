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
