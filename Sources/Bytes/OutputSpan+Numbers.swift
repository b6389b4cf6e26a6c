extension OutputSpan<UInt8> {
    /// The most bytes a number takes: a sign and 19 digits.
    @inlinable public static var longestDecimal: Int { 20 }

    /// Appends a number in decimal.
    @inlinable
    public mutating func append(decimal number: Int) {
        if number < 0 { append(0x2D) }
        append(digitsOf: number.magnitude)
    }

    /// Eight digits at a time, gathered from the last one on: to divide by ten is cheap only where ten is a constant.
    @inlinable
    mutating func append(digitsOf number: UInt) {
        let eightDigits: UInt = 100_000_000
        var rest = number
        var least = 1
        if number >= eightDigits {
            append(digitsOf: number / eightDigits)
            rest = number % eightDigits
            least = 8
        }
        var (digits, count): (UInt64, Int) = (0, 0)
        repeat {
            digits = digits << 8 | UInt64(0x30 + rest % 10)
            rest /= 10
            count += 1
        } while rest > 0 || count < least
        for _ in 0..<count {
            append(UInt8(truncatingIfNeeded: digits))
            digits >>= 8
        }
    }

    /// Appends two decimal digits; of a greater number its last two.
    @inlinable @inline(__always)
    public mutating func append(twoDigits number: Int) {
        append(0x30 + UInt8(truncatingIfNeeded: number / 10 % 10))
        append(0x30 + UInt8(truncatingIfNeeded: number % 10))
    }

    /// Appends two lower-case hexadecimal digits for every byte.
    @inlinable
    public mutating func append(hexadecimal bytes: Span<UInt8>) {
        var index = 0
        while index + 4 <= bytes.count {
            append(lowestFirst: Self.digits(ofFour: bytes.word(at: index)))
            index += 4
        }
        while index < bytes.count {
            let digits = Self.digits(ofFour: UInt32(bytes[index]))
            append(UInt8(truncatingIfNeeded: digits))
            append(UInt8(truncatingIfNeeded: digits >> 8))
            index += 1
        }
    }

    /// The digits of four bytes, the lowest byte's first: all eight at once, without a branch that random digits would
    /// make the processor guess wrong.
    @inlinable @inline(__always)
    static func digits(ofFour bytes: UInt32) -> UInt64 {
        // Each byte into two of the word's, then each half into one of those; the high digit comes first.
        var apart = UInt64(bytes)
        apart = (apart | apart << 16) & 0x0000_FFFF_0000_FFFF
        apart = (apart | apart << 8) & 0x00FF_00FF_00FF_00FF
        let digits = (apart >> 4 | apart << 8) & 0x0F0F_0F0F_0F0F_0F0F
        // 1 in each byte whose digit is a letter; letters begin 39 above where the tenth decimal digit would be.
        let letters = ((digits &+ 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101
        return digits &+ 0x3030_3030_3030_3030 &+ letters &* 39
    }
}
