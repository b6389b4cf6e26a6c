extension OutputSpan<UInt8> {
    /// The most bytes a number takes: a sign and 19 digits.
    @inlinable package static var longestDecimal: Int { 20 }

    /// Appends a number in decimal: one of up to eight digits all at once.
    @inlinable
    package mutating func append(decimal number: Int) {
        guard 0..<100_000_000 ~= number, freeCapacity >= 8 else { return append(anyDecimal: number) }
        let digits = Self.decimalDigits(ofEight: UInt64(truncatingIfNeeded: number))
        // All but the last digit go unwritten while they are zeros.
        let zeros = (digits | 1 << 56).trailingZeroBitCount / 8
        append(first: 8 &- zeros, of: (digits | 0x3030_3030_3030_3030) &>> UInt64(8 &* zeros))
    }

    /// Appends a number in decimal, one digit after the other.
    @inlinable @inline(never)
    package mutating func append(anyDecimal number: Int) {
        if number < 0 { append(0x2D) }
        append(digitsOf: number.magnitude)
    }

    @inlinable
    package mutating func append(digitsOf number: UInt) {
        if number >= 10 { append(digitsOf: number / 10) }
        append(0x30 + UInt8(truncatingIfNeeded: number % 10))
    }

    /// Appends a number of three digits at most in decimal, with less to do than for one of any length.
    @inlinable
    package mutating func append(decimal number: UInt8) {
        if number >= 100 { append(0x30 + number / 100) }
        if number >= 10 { append(0x30 + number / 10 % 10) }
        append(0x30 + number % 10)
    }

    /// The eight decimal digits of a number below 10^8, as numbers, the first one lowest: halved three times, as to divide
    /// by ten for one digit after the other takes several times as long.
    @inlinable @inline(__always)
    static func decimalDigits(ofEight number: UInt64) -> UInt64 {
        let halves = number / 10_000 | (number % 10_000) << 32
        // x * 10486 / 2^20 is x / 100 for x below 10,000, and x * 103 / 2^10 is x / 10 for x below 100.
        let hundreds = ((halves &* 10_486) >> 20) & 0x0000_007F_0000_007F
        let pairs = hundreds | (halves &- hundreds &* 100) << 16
        let tens = ((pairs &* 103) >> 10) & 0x000F_000F_000F_000F
        return tens | (pairs &- tens &* 10) << 8
    }

    /// Appends two decimal digits; of a greater number its last two.
    @inlinable @inline(__always)
    package mutating func append(twoDigits number: Int) {
        append(0x30 + UInt8(truncatingIfNeeded: number / 10 % 10))
        append(0x30 + UInt8(truncatingIfNeeded: number % 10))
    }

    /// Appends two lower-case hexadecimal digits for every byte.
    @inlinable
    package mutating func append(hexadecimal bytes: Span<UInt8>) {
        var index = 0
        while bytes.count &- index >= 16 {
            append(hexadecimal: bytes.block(at: index))
            index &+= 16
        }
        while index < bytes.count {
            let digits = Self.digits(ofSixteen: SIMD16(repeating: bytes[index]))
            append(digits[0])
            append(digits[1])
            index += 1
        }
    }

    /// Appends the digits of sixteen bytes.
    @inlinable @inline(__always)
    package mutating func append(hexadecimal bytes: SIMD16<UInt8>) {
        append(first: 32, ofPlain: Self.digits(ofSixteen: bytes))
    }

    /// The digits of sixteen bytes: all at once, without a branch that random digits would make the processor guess wrong.
    @inlinable @inline(__always)
    package static func digits(ofSixteen bytes: SIMD16<UInt8>) -> SIMD32<UInt8> {
        var digits = SIMD32<UInt8>()
        digits.evenHalf = characters(ofDigits: bytes &>> 4)
        digits.oddHalf = characters(ofDigits: bytes & 0x0F)
        return digits
    }

    /// The characters of digits 0...15. Letters begin 39 above where the tenth decimal digit would be.
    @inlinable @inline(__always)
    package static func characters(ofDigits digits: SIMD16<UInt8>) -> SIMD16<UInt8> {
        let isLetter = (digits &+ 6) &>> 4
        return digits &+ 0x30 &+ (0 &- isLetter) & 39
    }
}
