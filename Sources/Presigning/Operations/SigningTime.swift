/// A moment in whole seconds of UTC, as signatures, scopes and expiries need it.
///
/// It is always handed in: nothing in this module reads a clock.
public struct SigningTime: Sendable, Hashable, Comparable {
    /// The range that four digits of a year can name: 1970-01-01T00:00:00Z to 9999-12-31T23:59:59Z.
    public static let representable: ClosedRange<Int64> = 0...253_402_300_799

    /// Seconds since 1970-01-01T00:00:00Z, without leap seconds.
    public let secondsSince1970: Int64

    /// Takes POSIX time, fractions already cut off. A time outside `representable` becomes its nearest end.
    public init(secondsSince1970: Int64) {
        self.secondsSince1970 = min(
            max(secondsSince1970, Self.representable.lowerBound), Self.representable.upperBound)
    }

    /// The moment some seconds later.
    public func advanced(bySeconds seconds: Int) -> SigningTime {
        let (sum, overflow) = secondsSince1970.addingReportingOverflow(Int64(seconds))
        return SigningTime(secondsSince1970: overflow ? Self.representable.upperBound : sum)
    }

    /// Whole seconds from this moment to another; negative when the other is earlier.
    public func seconds(until other: SigningTime) -> Int64 {
        other.secondsSince1970 - secondsSince1970
    }

    /// Earlier is less.
    public static func < (left: SigningTime, right: SigningTime) -> Bool {
        left.secondsSince1970 < right.secondsSince1970
    }
}
